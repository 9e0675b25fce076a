import { namedUsers } from "../named-users.server.ts";
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

export async function findRecipient(tx: Pick<SiteTransaction, "db">, userId: string) {
  const member = await namedUsers(tx).select(["u.email", "u.emailVerified"]).where("u.id", "=", userId).executeTakeFirst();
  return member?.emailVerified ? member : undefined;
}
