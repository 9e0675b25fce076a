import { isBlank, newCopyId } from "#domain/drafts/draft.ts";
import { webLocks } from "./alive.ts";
import { openJournal } from "./journal.ts";
import { sendSave } from "./send-save.ts";

export async function catchUp(userId: string): Promise<number> {
  const [journal, claims] = [openJournal(), webLocks()];
  const entries = await journal.entries(userId).catch(() => []);
  let brought = 0;
  for (const entry of entries) {
    if (!(await claims.claim(entry.writer))) continue;
    const { typedAt: _typedAt, ...save } = entry;
    const never = new AbortController().signal;
    let answer = await sendSave(save, never);
    if (answer.kind === "changed" && !isBlank(save.draft))
      answer = await sendSave({ ...save, id: newCopyId(), base: null, postId: null, postVersion: null }, never);
    if (answer.kind === "saved") {
      brought++;
      await journal.remove(entry).catch(() => {});
    }
    claims.release(entry.writer);
  }
  return brought;
}
