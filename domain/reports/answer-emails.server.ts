import { longDate } from "../dates.ts";
import { excerpt as shorten } from "../format.ts";
import { sendToMember } from "../mail/send-to-member.server.ts";
import type { SiteTransaction } from "../site.ts";
import { type QueueKind, reasonLabel, reportNouns } from "./report.ts";

type Answered = { kind: QueueKind; reporterId: string | null; reason: string; excerpt: string; createdAt: number };

/** Emails an answer to who reported or appealed, with what it is about; nothing where nobody is left or nothing was said. */
export async function emailAnswer(
  tx: SiteTransaction,
  { kind, reporterId, reason, excerpt, createdAt }: Answered,
  answer: string,
): Promise<void> {
  if (!reporterId || answer === "") return;
  const about = `“${shorten(excerpt.split("\n")[0] ?? "", 80)}”`;
  const on = longDate(createdAt);
  const [subject, first] =
    kind === "appeal"
      ? ["An answer to your appeal", `On ${on} you appealed this decision: ${about}.`]
      : [
          kind === "message" ? "An answer to your report of a message" : `An answer to your report of ${about}`,
          `On ${on} you reported the ${reportNouns[kind]} ${about} (${reasonLabel(reason)}).`,
        ];
  await sendToMember(tx, reporterId, false, {
    subject,
    text: `${first}\n\nAn administrator has answered:\n\n${answer}\n\n${tx.url}/notifications\n`,
  });
}
