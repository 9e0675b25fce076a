import { longDate } from "../dates.ts";
import { sendToMember } from "../mail/send-to-member.server.ts";
import type { SiteTransaction } from "../site.ts";
import {
  isMemberFacing,
  type ModerationActionKind,
  memberFacingMeanings,
  memberFacingTitles,
  moderationWords,
} from "./moderation-action.ts";

export type Decided = { id: string; kind: ModerationActionKind; title: string; memberId: string; reason: string; endsAt: number | null };

/** Emails whom a moderation action concerns: always about a suspension, about anything else if the site's settings allow it. */
export async function emailMember(tx: SiteTransaction, { id, kind, title, memberId, reason, endsAt }: Decided): Promise<void> {
  if (!isMemberFacing(kind)) return;
  const story = kind === "suspend" || kind === "clear" ? "" : `\n“${title}”\n`;
  const until = kind === "suspend" && endsAt !== null ? `\nIt ends automatically on ${longDate(endsAt)}.\n` : "";
  await sendToMember(tx, memberId, kind === "suspend", {
    subject: memberFacingTitles[kind],
    text: `${memberFacingTitles[kind]}.
${story}${until}
Reason: ${reason || moderationWords.noReason}

${memberFacingMeanings[kind]}

Read the decision or appeal it here:

${tx.url}/notices/${id}
`,
  });
}
