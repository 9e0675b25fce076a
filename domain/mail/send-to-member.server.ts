import type { SiteTransaction } from "../site.ts";
import { plainEmail } from "./plain-email.ts";
import { sendEmail } from "./send-email.server.ts";

type Content = { subject: string; body: string };

/** Without `always`, only if the settings allow it; never to an unconfirmed address. */
export async function sendToMember(tx: SiteTransaction, userId: string, always: boolean, { subject, body }: Content): Promise<void> {
  const { siteName, emailNotifications } = tx.settings;
  if (!always && !emailNotifications) return;
  const member = await findRecipient(tx, userId);
  if (!member) return;
  const { email: to, name } = member;
  const email = plainEmail(siteName, { to, subject: `${subject} (${siteName})`, hello: `Hello ${name}`, body });
  await sendEmail(tx, { kind: "decision", userId, ...email });
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
