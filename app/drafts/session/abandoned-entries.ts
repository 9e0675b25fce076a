import { isBlank } from "#domain/drafts/draft.ts";
import { openJournal, webLocks } from "./journal.ts";
import { asNewDraft, claimEntry, type RecoveryTools } from "./recovery.ts";
import { sendSave } from "./save-loop.ts";

/** Saves the journal entries of closed pages. Returns how many were saved. */
export async function saveAbandonedEntries(
  userId: string,
  tools: RecoveryTools = { journal: openJournal(), claims: webLocks(), send: sendSave },
): Promise<number> {
  const { journal, claims, send } = tools;
  const entries = await journal.entries(userId).catch(() => []);
  const never = new AbortController().signal;
  let saved = 0;
  for (const found of entries) {
    const entry = await claimEntry(found, tools);
    if (!entry) continue;
    const { typedAt: _typedAt, ...save } = entry;
    let result = await send(save, never);
    if (result.kind === "changed" && !isBlank(save.draft)) result = await send(asNewDraft(save), never);
    if (result.kind === "saved") saved++;
    if (result.kind === "saved" || result.kind === "finished") await journal.remove(entry).catch(() => {});
    claims.release(entry.writer);
  }
  return saved;
}
