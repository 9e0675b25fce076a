import { isWithinLimit } from "#domain/limits/rate-limits.server.ts";
import { plainEmail, preferenceLinks } from "../mail/plain-email.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { findRecipient } from "../mail/send-to-member.server.ts";
import { isBlocked } from "../notifications/bundles.server.ts";
import { quietHoursEnd, readPreference } from "../notifications/preferences.server.ts";
import { unsubscribeLink } from "../notifications/stop-emails.server.ts";
import type { Member, Site, SiteTransaction } from "../site.ts";

const followerLimit = { max: 30, minutes: 60 };
const receiverLimit = { max: 10, minutes: 24 * 60 };
const pairLimit = { max: 1, minutes: 30 * 24 * 60 };

/** Only if the site's and the member's settings allow it, the address is confirmed and the member hasn't blocked the follower. */
export async function emailNewFollower(site: Site, tx: SiteTransaction, follower: Member, userId: string): Promise<void> {
  const { siteName, emailNotifications } = site.settings;
  if (!emailNotifications) return;
  const followed = await findRecipient(tx, userId);
  if (!followed || (await isBlocked(tx, userId, follower.id))) return;
  if ((await readPreference(tx, userId, "follower")).email !== "at-once") return;
  if (!(await isWithinLimits({ ...site, db: tx.db }, follower.id, userId))) return;
  const { unsubscribeUrl, headers } = await unsubscribeLink(tx, userId, "follower");
  await sendEmail(tx, {
    kind: "follower",
    userId,
    headers,
    notBefore: await quietHoursEnd(tx, userId),
    ...plainEmail(siteName, {
      to: followed.email,
      subject: `You have a new follower on ${siteName}`,
      hello: `Hello ${followed.name}`,
      body: `${follower.name} is now following you on ${siteName}.\n\n${site.url}/profile/${follower.id}`,
      links: preferenceLinks(site.url, unsubscribeUrl),
    }),
  });
}

/** The pair last: an email that another limit refuses doesn't use up its month. */
async function isWithinLimits(site: Site, followerId: string, followedId: string): Promise<boolean> {
  return (
    (await isWithinLimit(site, { kind: "follow-emails-by", subject: followerId }, followerLimit)) &&
    (await isWithinLimit(site, { kind: "follow-emails-to", subject: followedId }, receiverLimit)) &&
    (await isWithinLimit(site, { kind: "follow-email", subject: `${followerId} ${followedId}` }, pairLimit))
  );
}
