import { sendToMember } from "../mail/send-to-member.server.ts";
import type { SiteTransaction } from "../site.ts";

export async function emailAnswer(tx: SiteTransaction, userId: string | null, answer: string): Promise<void> {
  if (!userId || answer === "") return;
  await sendToMember(tx, userId, false, {
    subject: "An answer from the administrators",
    text: `An administrator has answered you:\n\n${answer}\n\n${tx.url}/notices\n`,
  });
}
