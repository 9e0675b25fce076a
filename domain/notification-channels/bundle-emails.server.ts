import { sql } from "kysely";
import { handleInBatches } from "#platform/database/batches.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { findRecipient } from "../mail/send-to-member.server.ts";
import type { BundledKind, ConfigurableKind } from "../notifications/kinds.ts";
import { quietHoursEnd, readPreference } from "../notifications/preferences.server.ts";
import { unsubscribeLink } from "../notifications/stop-emails.server.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { type BundleRow, bundles, describeBundles } from "./bundle-entries.server.ts";
import { notificationsEmail } from "./email-text.server.ts";
import { describeAsText } from "./entry.ts";

const emailsPerBatch = 50;

type DueBundle = { number: number; userId: string; kind: string; emailDueAt: number | null };

/**
 * Emails unread bundles to members who chose emails at once: one per bundle until it is read or, if its kind is
 * off on the site, sent. Several processes may run it at the same time.
 * @returns the number of emails sent.
 */
export function sendBundleEmails(site: Site): Promise<number> {
  const due = site.db
    .selectFrom("notifications")
    .select(["number", "userId", "kind", "emailDueAt"])
    .where("emailDueAt", "is not", null)
    .where("emailDueAt", "<=", site.now())
    .orderBy("emailDueAt");
  return handleInBatches(emailsPerBatch, due, (each) => transaction(site, (tx) => send(tx, each)));
}

async function send(tx: SiteTransaction, { number, userId, kind, emailDueAt }: DueBundle): Promise<boolean> {
  const later = (await quietHoursEnd(tx, userId)) ?? null;
  const claim = tx.db.updateTable("notifications").set({ emailDueAt: later }).where("number", "=", number);
  const { numUpdatedRows } = await claim.where("emailDueAt", "=", emailDueAt).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n || later !== null || !tx.settings.emailNotifications) return false;
  const { email: frequency, onSite } = await readPreference(tx, userId, kind as ConfigurableKind);
  if (frequency !== "at-once") return false;
  const row = await bundles(tx, userId).where("n.number", "=", number).where("n.readAt", "is", sql.lit(null)).executeTakeFirst();
  const member = await findRecipient(tx, userId);
  if (!row || !member) return false;
  const entries = await describeBundles(tx, userId, [row as BundleRow]);
  const { unsubscribeUrl, headers } = await unsubscribeLink(tx, userId, kind as BundledKind);
  const subject = entries.map(describeAsText).join();
  const once = onSite ? " We won’t email you about this again until you’ve read it." : "";
  const intro = `Here’s what’s new on ${tx.settings.siteName}.${once}`;
  const { email: to, name } = member;
  await sendEmail(tx, {
    kind: row.kind as "like",
    userId,
    to,
    subject,
    headers,
    ...notificationsEmail(tx, entries, { name, intro, unsubscribeUrl }),
  });
  return true;
}
