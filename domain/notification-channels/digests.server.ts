import { handleInBatches } from "#platform/database/batches.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { findRecipient } from "../mail/send-to-member.server.ts";
import {
  type ConfigurableKind,
  configurableKinds,
  type DigestFrequency,
  digestFrequencies,
  type NotificationKind,
} from "../notifications/kinds.ts";
import { nextDigest } from "../notifications/local-time.ts";
import { digestColumns, fallbackZone, readPreferences } from "../notifications/preferences.server.ts";
import { unsubscribeLink } from "../notifications/stop-emails.server.ts";
import { type Member, type Site, type SiteTransaction, transaction } from "../site.ts";
import { notificationsEmail } from "./email-text.server.ts";
import type { NotificationEntry } from "./entry.ts";
import { readEntries } from "./list.server.ts";
import { markEntries } from "./marking.server.ts";

const membersPerBatch = 50;
const maxEntries = 30;

/**
 * Sends due digests: unread notifications since the last digest, of the kinds that the member chose for it. Several processes may run it at
 * the same time: the email is written in the transaction that sets the next due time. @returns the number of digests sent.
 */
export async function sendDigests(site: Site): Promise<number> {
  let sent = 0;
  for (const frequency of digestFrequencies) sent += await sendAllOf(site, frequency);
  return sent;
}

type DueDigest = { userId: string; timeZone: string | null; dueAt: number | null; since: number | null };

function sendAllOf(site: Site, frequency: DigestFrequency): Promise<number> {
  const { due, since } = digestColumns[frequency];
  const members = site.db
    .selectFrom("notification_settings")
    .select(["userId", "timeZone", `${due} as dueAt`, `${since} as since`])
    .where(due, "is not", null)
    .where(due, "<=", site.now())
    .orderBy(due);
  return handleInBatches(membersPerBatch, members, (member) => sendOne(site, frequency, member));
}

async function sendOne(site: Site, frequency: DigestFrequency, { userId, timeZone, dueAt, since }: DueDigest): Promise<boolean> {
  const now = site.now();
  const entries = await readUnreadSince(site, userId, frequency, Number(since ?? 0));
  const columns = digestColumns[frequency];
  return transaction(site, async (tx) => {
    const claim = tx.db
      .updateTable("notification_settings")
      .set({ [columns.due]: nextDigest(now, frequency, timeZone ?? fallbackZone), [columns.since]: now })
      .where("userId", "=", userId)
      .where(columns.due, "=", dueAt);
    const { numUpdatedRows } = await claim.executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n || entries.length === 0 || !tx.settings.emailNotifications) return false;
    const isSent = await write(tx, frequency, userId, entries);
    if (isSent) await markHiddenRead(tx, userId, entries);
    return isSent;
  });
}

async function readUnreadSince(site: Site, userId: string, frequency: DigestFrequency, since: number): Promise<NotificationEntry[]> {
  const preferences = await readPreferences(site, userId);
  const kinds: NotificationKind[] = configurableKinds.filter((kind: ConfigurableKind) => preferences[kind].email === frequency);
  const { entries } = await readEntries(site, { id: userId } as Member, { kinds, onlyUnread: true, limit: maxEntries });
  return entries.filter(({ at }) => at > since);
}

/** Nobody can read entries of a kind that is off on the site, so the next digest would count the same people again. */
async function markHiddenRead(tx: SiteTransaction, userId: string, entries: NotificationEntry[]): Promise<void> {
  const preferences: Partial<Record<NotificationKind, { onSite: boolean }>> = await readPreferences(tx, userId);
  const hidden = entries.filter((entry) => "people" in entry && preferences[entry.kind]?.onSite === false);
  await markEntries(
    tx,
    userId,
    hidden.map(({ id }) => id),
  );
}

async function write(tx: SiteTransaction, frequency: DigestFrequency, userId: string, entries: NotificationEntry[]): Promise<boolean> {
  const member = await findRecipient(tx, userId);
  if (!member) return false;
  const { siteName } = tx.settings;
  const period = frequency === "daily" ? "day" : "week";
  const { unsubscribeUrl, headers } = await unsubscribeLink(tx, userId, frequency);
  const intro = `This is what’s new for you on ${siteName}. You get this summary every ${period}.`;
  const { email: to, name } = member;
  await sendEmail(tx, {
    ...{ kind: "digest", userId, to, subject: `Your ${period} on ${siteName}`, headers },
    ...notificationsEmail(tx, entries, { name, intro, unsubscribeUrl }),
  });
  return true;
}
