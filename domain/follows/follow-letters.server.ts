import { isWithinLimit } from "../accounts/attempts.server.ts";
import { howToEndThem, wantsLetters } from "../accounts/letter-choices.server.ts";
import type { Member, Site } from "../site.ts";

/** Whoever follows, stops and follows again is no news for a month. */
const once = { max: 1, minutes: 30 * 24 * 60 };

/** Tells a member who follows them now, if the site's settings allow such letters and the address is confirmed. */
export async function writeToFollowed(site: Site, follower: Member, userId: string): Promise<void> {
  if (!site.settings.emailNotifications) return;
  const followed = await site.db
    .selectFrom("users as u")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .select(["u.email", "u.emailVerified"])
    .select((eb) => eb.fn.coalesce("p.userName", "u.name").as("name"))
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!followed?.emailVerified || !(await wantsLetters(site, userId, "followers")) || !(await isNews(site, follower.id, userId))) return;
  const { siteName } = site.settings;
  await site.mail.send({
    to: followed.email,
    subject: `You have a new follower on ${siteName}`,
    text: `Hello ${followed.name},

${follower.name} is now following you on ${siteName}.

${site.url}/profile/${follower.id}
${howToEndThem(site)}`,
  });
}

function isNews(site: Site, followerId: string, userId: string): Promise<boolean> {
  return isWithinLimit(site, { kind: "follow-email", subject: `${followerId} ${userId}` }, once);
}
