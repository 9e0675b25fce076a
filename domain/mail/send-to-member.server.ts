import type { SiteTransaction } from "../site.ts";
import { sendEmail } from "./send-email.server.ts";

type Content = { subject: string; text: string };

/** Without `always`, only if the settings allow it; never to an unconfirmed address. */
export async function sendToMember(tx: SiteTransaction, userId: string, always: boolean, { subject, text }: Content): Promise<void> {
  const { siteName, emailNotifications } = tx.settings;
  if (!always && !emailNotifications) return;
  const member = await findRecipient(tx, userId);
  if (!member) return;
  const body = `Hello ${member.name},\n\n${text}\nThe ${siteName} team\n`;
  await sendEmail(tx, { kind: "decision", userId, to: member.email, subject: `${subject} (${siteName})`, text: body });
}

export async function findRecipient({ db }: Pick<SiteTransaction, "db">, userId: string) {
  const member = await db
    .selectFrom("users as u")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .select((eb) => ["u.email", "u.emailVerified", eb.fn.coalesce("p.userName", "u.name").as("name")])
    .where("u.id", "=", userId)
    .executeTakeFirst();
  return member?.emailVerified ? member : undefined;
}
