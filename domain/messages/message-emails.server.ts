import { handleInBatches } from "#platform/database/batches.ts";
import { plainEmail, preferenceLinks } from "../mail/plain-email.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { quietHoursEnd, readPreference } from "../notifications/preferences.server.ts";
import { unsubscribeLink } from "../notifications/stop-emails.server.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { unreadEmailDelayMs } from "./message.ts";

const emailsPerBatch = 50;

type DueEmail = { userId: string; partnerId: string; emailDueAt: number | null };

/**
 * Emails offline members about unread messages, once per conversation until it is read, without the messages' text. Several processes may
 * run it at the same time. @returns the number of emails sent.
 */
export function sendMessageEmails(site: Site): Promise<number> {
  const due = site.db
    .selectFrom("participants")
    .select(["userId", "partnerId", "emailDueAt"])
    .where("emailDueAt", "is not", null)
    .where("emailDueAt", "<=", site.now())
    .orderBy("emailDueAt");
  return handleInBatches(emailsPerBatch, due, (each) => {
    const isOnline = site.presence.isOnline(each.userId);
    return transaction(site, async (tx) => {
      // Postponed while the member is online.
      const later = isOnline ? site.now() + unreadEmailDelayMs : await quietHoursEnd(tx, each.userId);
      if (!(await claim(tx, each, later ?? null)) || later !== undefined) return false;
      return write(tx, each);
    });
  });
}

async function claim({ db }: SiteTransaction, { userId, partnerId, emailDueAt }: DueEmail, next: number | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("participants")
    .set({ emailDueAt: next })
    .where("userId", "=", userId)
    .where("partnerId", "=", partnerId)
    .where("emailDueAt", "=", emailDueAt)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function write(tx: SiteTransaction, { userId, partnerId }: DueEmail): Promise<boolean> {
  const { siteName, emailNotifications, enableMessages } = tx.settings;
  if (!emailNotifications || !enableMessages) return false;
  const row = await tx.db
    .selectFrom("participants as own")
    .innerJoin("users as u", "u.id", "own.userId")
    .innerJoin("users as partner", "partner.id", "own.partnerId")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .leftJoin("profiles as pp", "pp.userId", "partner.id")
    .leftJoin("blocks as b", (join) => join.onRef("b.userId", "=", "own.userId").onRef("b.blockedId", "=", "own.partnerId"))
    .select(["u.email", "u.emailVerified", "own.unreadCount", "own.muted", "b.createdAt as blockedAt"])
    .select((eb) => [eb.fn.coalesce("p.userName", "u.name").as("name"), eb.fn.coalesce("pp.userName", "partner.name").as("from")])
    .where("own.userId", "=", userId)
    .where("own.partnerId", "=", partnerId)
    .executeTakeFirst();
  if (!row?.emailVerified || row.muted || row.blockedAt !== null || row.unreadCount === 0) return false;
  if ((await readPreference(tx, userId, "message")).email !== "at-once") return false;
  const waiting = row.unreadCount === 1 ? "an unread message" : `${row.unreadCount} unread messages`;
  const { unsubscribeUrl, headers } = await unsubscribeLink(tx, userId, "message");
  await sendEmail(tx, {
    kind: "messages",
    userId,
    headers,
    ...plainEmail(siteName, {
      to: row.email,
      subject: `New message from ${row.from} on ${siteName}`,
      hello: `Hello ${row.name}`,
      body: `You have ${waiting} from ${row.from} on ${siteName}:

${tx.url}/messages/${partnerId}

We won’t email you about this conversation again until you’ve read it.`,
      links: preferenceLinks(tx.url, unsubscribeUrl),
    }),
  });
  return true;
}
