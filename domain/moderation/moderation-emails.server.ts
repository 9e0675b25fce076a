import { longDate } from "../dates.ts";
import { sendToMember } from "../mail/send-to-member.server.ts";
import type { SiteTransaction } from "../site.ts";
import {
  actionTexts,
  isMemberFacing,
  type MemberFacingKind,
  type ModerationActionKind,
  memberFacingMeaning,
  memberFacingTitles,
} from "./moderation-action.ts";
import { type RestoredState, undoneMeaning, undoneTitle } from "./undone-texts.ts";

export type EmailedAction = {
  id: string;
  kind: ModerationActionKind;
  title: string;
  memberId: string;
  reason: string;
  endsAt: number | null;
};

/** Suspensions are always emailed, everything else if the site's settings allow it. */
export async function emailMember(tx: SiteTransaction, { id, kind, title, memberId, reason, endsAt }: EmailedAction): Promise<void> {
  if (!isMemberFacing(kind)) return;
  const until = kind === "suspend" && endsAt !== null ? `\nIt ends automatically on ${longDate(endsAt)}.\n` : "";
  await sendToMember(tx, memberId, kind === "suspend", {
    subject: memberFacingTitles[kind],
    body: `${memberFacingTitles[kind]}.
${postLine(kind, title)}${until}
Reason: ${reason || actionTexts.noReason}

${memberFacingMeaning({ kind, endsAt })}

Read the decision or appeal it here:

${tx.url}/notices/${id}`,
  });
}

type UndoneAction = { id: string; kind: MemberFacingKind; title: string; memberId: string; byRule: boolean; restored: RestoredState };

export async function emailUndoneAction(tx: SiteTransaction, { id, title, memberId, ...undone }: UndoneAction): Promise<void> {
  const { kind } = undone;
  await sendToMember(tx, memberId, kind === "suspend", {
    subject: undoneTitle(undone),
    body: `${undoneTitle(undone)}.
${postLine(kind, title)}
${undoneMeaning(undone)}

Read more:

${tx.url}/notices/${id}`,
  });
}

function postLine(kind: MemberFacingKind, title: string): string {
  return kind === "suspend" || kind === "clear" ? "" : `\n“${title}”\n`;
}
