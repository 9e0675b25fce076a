import { forUpdate } from "#platform/database/locks.ts";
import { emailKinds } from "../mail/email-kinds.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { composeIssue } from "./compose.server.ts";
import { dueAt, lateMs, weekOf } from "./issue.ts";
import { pickStories } from "./picks.server.ts";

/** Few enough that readers and other writers hardly wait for one batch. */
const subscribersPerBatch = 500;

/**
 * Composes this week's newsletter once its day and hour have come, and writes an email to each subscriber into the outbox. Any number of
 * processes may try; one that dies leaves the rest to the next.
 */
export async function sendNewsletterWhenDue(site: Site): Promise<void> {
  const week = weekOf(site.now());
  const due = dueAt(week, site.settings);
  const isTime = site.now() >= due && site.now() < due + lateMs;
  if (isTime && site.settings.newsletterEnabled && !(await isBegun(site, week))) await transaction(site, (tx) => begin(tx, week));
  const open = await site.db.selectFrom("newsletters").select("week").where("state", "=", "queueing").execute();
  for (const { week } of open) while (await transaction(site, (tx) => queueSome(tx, Number(week))));
}

async function isBegun({ db }: Site, week: number): Promise<boolean> {
  const row = await db.selectFrom("newsletters").select("state").where("week", "=", week).executeTakeFirst();
  return row !== undefined && row.state !== "planned";
}

async function begin(tx: SiteTransaction, week: number): Promise<void> {
  await tx.db
    .insertInto("newsletters")
    .values({ week, state: "planned", subject: null, introduction: null, body: null })
    .onConflict((conflict) => conflict.column("week").doNothing())
    .execute();
  const row = await forUpdate(tx, tx.db.selectFrom("newsletters").selectAll().where("week", "=", week)).executeTakeFirstOrThrow();
  if (row.state !== "planned") return;
  const issue = composeIssue({ settings: tx.settings, url: tx.url, week }, await pickStories(tx), row);
  const begun = issue ? { state: "queueing" as const, subject: issue.subject, body: JSON.stringify(issue) } : { state: "empty" as const };
  await tx.db.updateTable("newsletters").set(begun).where("week", "=", week).execute();
}

/** @returns whether there may be more. */
async function queueSome(tx: SiteTransaction, week: number): Promise<boolean> {
  const row = await forUpdate(
    tx,
    tx.db.selectFrom("newsletters").select(["state", "lastEmail"]).where("week", "=", week),
  ).executeTakeFirstOrThrow();
  if (row.state !== "queueing") return false;
  const subscribers = await tx.db
    .selectFrom("subscribers as s")
    .leftJoin("refused_addresses as r", "r.address", "s.email")
    .select(["s.email", "s.token", "r.refusedAt"])
    .where("s.confirmedAt", "is not", null)
    .where("s.email", ">", row.lastEmail)
    .orderBy("s.email")
    .limit(subscribersPerBatch)
    .execute();
  const able = subscribers.filter(({ refusedAt }) => refusedAt === null);
  if (able.length > 0) {
    await tx.db
      .insertInto("outbox")
      .values(able.map(({ email, token }) => emailTo(tx, week, email, token)))
      .execute();
    tx.afterCommit((site) => site.outbox.wake(site));
  }
  const isLast = subscribers.length < subscribersPerBatch;
  await tx.db
    .updateTable("newsletters")
    .set((eb) => ({
      lastEmail: isLast ? "" : (subscribers.at(-1)?.email ?? row.lastEmail),
      recipients: eb("recipients", "+", able.length),
      state: isLast ? "queued" : "queueing",
    }))
    .where("week", "=", week)
    .execute();
  return !isLast;
}

function emailTo(tx: SiteTransaction, week: number, address: string, token: string) {
  const now = tx.now();
  const due = { state: "waiting" as const, priority: 1, dueAt: now, expiresAt: now + emailKinds.newsletter.lastsMs, createdAt: now };
  return { kind: "newsletter", userId: null, address, message: JSON.stringify({ token }), newsletter: week, ...due };
}
