import { longDate } from "../dates.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import type { Site, SiteTransaction } from "../site.ts";
import {
  isMemberFacing,
  type ModerationActionKind,
  memberFacingMeanings,
  memberFacingTitles,
  moderationWords,
} from "./moderation-action.ts";

export type Decided = { id: string; kind: ModerationActionKind; title: string; memberId: string; reason: string; endsAt: number | null };

/** Emails whom a moderation action concerns: always about a suspension, about anything else if the site's settings allow it. */
export function emailMember(tx: SiteTransaction, { id, kind, title, memberId, reason, endsAt }: Decided): void {
  if (!isMemberFacing(kind)) return;
  const story = kind === "suspend" || kind === "clear" ? "" : `\n“${title}”\n`;
  const until = kind === "suspend" && endsAt !== null ? `\nIt ends automatically on ${longDate(endsAt)}.\n` : "";
  send(tx, memberId, kind === "suspend", ({ url }) => ({
    subject: memberFacingTitles[kind],
    text: `${memberFacingTitles[kind]}.
${story}${until}
Reason: ${reason || moderationWords.noReason}

${memberFacingMeanings[kind]}

Read the decision or appeal it here:

${url}/notices/${id}
`,
  }));
}

/** Emails somebody the answer to their report or appeal, if there is one. */
export function emailAnswer(tx: SiteTransaction, userId: string | null, answer: string): void {
  if (!userId || answer === "") return;
  send(tx, userId, false, ({ url }) => ({
    subject: "An answer from the administrators",
    text: `An administrator has answered you:\n\n${answer}\n\n${url}/notices\n`,
  }));
}

type Content = { subject: string; text: string };

function send(tx: SiteTransaction, userId: string, always: boolean, content: (site: Site) => Content): void {
  sendEmail(tx, { email: "about a decision", userId }, async (site) => {
    if (!always && !site.settings.emailNotifications) return undefined;
    const member = await site.db
      .selectFrom("users as u")
      .leftJoin("profiles as p", "p.userId", "u.id")
      .select((eb) => ["u.email", "u.emailVerified", eb.fn.coalesce("p.userName", "u.name").as("name")])
      .where("u.id", "=", userId)
      .executeTakeFirst();
    if (!member?.emailVerified) return undefined;
    const { subject, text } = content(site);
    const { siteName } = site.settings;
    return { to: member.email, subject: `${subject} (${siteName})`, text: `Hello ${member.name},\n\n${text}\nThe ${siteName} team\n` };
  });
}
