import { isWithinLimit } from "#domain/limits/attempts.server.ts";
import { preferencesFooter } from "#domain/mail/preferences-footer.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { quietEnd, readPreference } from "../notifications/preferences.server.ts";
import { unsubscribeLink } from "../notifications/stop-emails.server.ts";
import type { Member, Site, SiteTransaction } from "../site.ts";

const once = { max: 1, minutes: 30 * 24 * 60 };

/** Only if the site's and the member's settings allow it and the address is confirmed. */
export async function emailFollowed(site: Site, tx: SiteTransaction, follower: Member, userId: string): Promise<void> {
  const { siteName, emailNotifications } = site.settings;
  if (!emailNotifications) return;
  const followed = await tx.db
    .selectFrom("users as u")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .select(["u.email", "u.emailVerified"])
    .select((eb) => eb.fn.coalesce("p.userName", "u.name").as("name"))
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!followed?.emailVerified || (await readPreference(tx, userId, "follower")).email !== "at-once") return;
  const isNews = await isWithinLimit({ ...site, db: tx.db }, { kind: "follow-email", subject: `${follower.id} ${userId}` }, once);
  if (!isNews) return;
  const { stop, headers } = await unsubscribeLink(tx, userId, "follower");
  await sendEmail(tx, {
    kind: "follower",
    userId,
    to: followed.email,
    headers,
    notBefore: await quietEnd(tx, userId),
    subject: `You have a new follower on ${siteName}`,
    text: `Hello ${followed.name},

${follower.name} is now following you on ${siteName}.

${site.url}/profile/${follower.id}
${preferencesFooter(site, stop)}`,
  });
}
