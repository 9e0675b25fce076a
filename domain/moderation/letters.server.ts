import { longDate } from "../dates.ts";
import type { Site } from "../site.ts";
import { feltMeanings, feltTitles, isFelt, moderationWords } from "./act.ts";
import { findAct } from "./acts.server.ts";

/**
 * Writes to whom an act concerns: always of a suspension, of anything else if the site's settings allow such letters. A
 * letter that can't be sent takes nothing back: what was decided stands inside the product too.
 */
export async function tellMember(site: Site, actionId: string): Promise<void> {
  const act = await findAct(site, actionId);
  if (!act || !isFelt(act.kind)) return;
  const story = act.kind === "suspend" || act.kind === "clear" ? "" : `\n“${act.title}”\n`;
  const until = act.kind === "suspend" && act.endsAt !== null ? `\nIt ends by itself on ${longDate(act.endsAt)}.\n` : "";
  await write(site, act.memberId, act.kind === "suspend", {
    subject: feltTitles[act.kind],
    text: `${feltTitles[act.kind]}.
${story}${until}
Why: ${act.reason || moderationWords.noReason}

${feltMeanings[act.kind]}

What was decided, and how to appeal:

${site.url}/notices/${act.id}
`,
  });
}

/** Tells somebody of an answer to their report or appeal. */
export async function tellAnswer(site: Site, userId: string | null, answer: string): Promise<void> {
  if (!userId || answer === "") return;
  const text = `An administrator has answered you:\n\n${answer}\n\n${site.url}/notices\n`;
  await write(site, userId, false, { subject: "An answer from the administrators", text });
}

type Said = { subject: string; text: string };

async function write(site: Site, userId: string, always: boolean, { subject, text }: Said): Promise<void> {
  if (!always && !site.settings.emailNotifications) return;
  const member = await site.db
    .selectFrom("users as u")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .select((eb) => ["u.email", "u.emailVerified", eb.fn.coalesce("p.userName", "u.name").as("name")])
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!member?.emailVerified) return;
  const { siteName } = site.settings;
  const letter = { to: member.email, subject: `${subject} (${siteName})`, text: `Hello ${member.name},\n\n${text}` };
  await site.mail.send(letter).catch((err) => site.log.error({ err, userId }, "a letter on a decision was not sent"));
}
