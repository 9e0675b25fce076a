import type { Site, SiteTransaction } from "../site.ts";
import { sendEmail } from "./send-email.server.ts";

type Content = { subject: string; text: string };

/** After the commit. Without `always` only if the settings allow it; never to an unconfirmed address. */
export function sendToMember(tx: SiteTransaction, userId: string, always: boolean, content: (site: Site) => Content): void {
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
