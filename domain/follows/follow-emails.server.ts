import { isWithinLimit } from "#domain/limits/attempts.server.ts";
import { preferencesFooter, wantsEmails } from "#domain/mail/email-preferences.server.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import type { Member, Site, SiteTransaction } from "../site.ts";

const once = { max: 1, minutes: 30 * 24 * 60 };

/** Emails a member who follows them now, if the site's settings and their own choice allow it and their address is confirmed. */
export function emailFollowed(tx: SiteTransaction, follower: Member, userId: string): void {
  sendEmail(tx, { email: "about a follower", userId }, async (site) => {
    if (!site.settings.emailNotifications) return undefined;
    const followed = await site.db
      .selectFrom("users as u")
      .leftJoin("profiles as p", "p.userId", "u.id")
      .select(["u.email", "u.emailVerified"])
      .select((eb) => eb.fn.coalesce("p.userName", "u.name").as("name"))
      .where("u.id", "=", userId)
      .executeTakeFirst();
    if (!followed?.emailVerified || !(await wantsEmails(site, userId, "followers")) || !(await isNews(site, follower.id, userId)))
      return undefined;
    const { siteName } = site.settings;
    return {
      to: followed.email,
      subject: `You have a new follower on ${siteName}`,
      text: `Hello ${followed.name},

${follower.name} is now following you on ${siteName}.

${site.url}/profile/${follower.id}
${preferencesFooter(site)}`,
    };
  });
}

function isNews(site: Site, followerId: string, userId: string): Promise<boolean> {
  return isWithinLimit(site, { kind: "follow-email", subject: `${followerId} ${userId}` }, once);
}
