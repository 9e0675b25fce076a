import { sendToMember } from "../mail/send-to-member.server.ts";
import type { SiteTransaction } from "../site.ts";

export function emailAnswer(tx: SiteTransaction, userId: string | null, answer: string): void {
  if (!userId || answer === "") return;
  sendToMember(tx, userId, false, ({ url }) => ({
    subject: "An answer from the administrators",
    text: `An administrator has answered you:\n\n${answer}\n\n${url}/notices\n`,
  }));
}
