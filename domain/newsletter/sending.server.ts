import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { forUpdate } from "#platform/database/locks.ts";
import { emailKinds } from "../mail/email-kinds.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { composeIssue } from "./compose.server.ts";
import { dueAt, lastDueWeek, maxDelayMs } from "./issue.ts";
import { planIssue } from "./issues.server.ts";
import { pickPosts } from "./picks.server.ts";

/** Small enough that a batch hardly delays other writers. */
const subscribersPerBatch = 200;
const shareOfReaders = 0.8;

/** Any number of processes may run this; another one continues after a crash. */
export async function sendNewsletterWhenDue(site: Site): Promise<void> {
  const week = lastDueWeek(site.now(), site.settings);
  const isTime = site.now() < dueAt(week, site.settings) + maxDelayMs;
  if (isTime && site.settings.newsletterEnabled && !(await isBegun(site, week))) await transaction(site, (tx) => composeAndStart(tx, week));
  const open = await site.db.selectFrom("newsletters").select("week").where("state", "=", "queueing").execute();
  for (const { week } of open) await queueAll(site, Number(week));
}

async function queueAll(site: Site, week: number): Promise<void> {
  for (;;) {
    const from = performance.now();
    if (!(await transaction(site, (tx) => queueSome(tx, week)))) return;
    await wait(((performance.now() - from) * shareOfReaders) / (1 - shareOfReaders));
  }
}

async function isBegun({ db }: Site, week: number): Promise<boolean> {
  const row = await db.selectFrom("newsletters").select("state").where("week", "=", week).executeTakeFirst();
  return row !== undefined && row.state !== "planned";
}

async function composeAndStart(tx: SiteTransaction, week: number): Promise<void> {
  await planIssue(tx, week);
  const row = await forUpdate(tx, tx.db.selectFrom("newsletters").selectAll().where("week", "=", week)).executeTakeFirstOrThrow();
  if (row.state !== "planned") return;
  const issue = composeIssue({ settings: tx.settings, url: tx.url, week }, await pickPosts(tx), row);
  const composed = issue ? { state: "queueing" as const, body: JSON.stringify(issue) } : { state: "empty" as const };
  await tx.db.updateTable("newsletters").set(composed).where("week", "=", week).execute();
}

/** Members' names, titles and texts are kept no longer than they may be sent. */
export async function sweepIssues({ db }: Site): Promise<void> {
  await db
    .updateTable("newsletters")
    .set({ body: null })
    .where("state", "=", "queued")
    .where("body", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("outbox as o").select("o.number").whereRef("o.newsletter", "=", "newsletters.week").where("o.message", "is not", null),
        ),
      ),
    )
    .execute();
}

async function queueSome(tx: SiteTransaction, week: number): Promise<boolean> {
  const row = await forUpdate(
    tx,
    tx.db.selectFrom("newsletters").select(["state", "lastEmail"]).where("week", "=", week),
  ).executeTakeFirstOrThrow();
  if (row.state !== "queueing") return false;
  const last = await tx.db
    .selectFrom(subscribersAfter(tx, row.lastEmail).orderBy("email").limit(subscribersPerBatch).as("batch"))
    .select((eb) => [eb.fn.max("batch.email").as("email"), eb.fn.countAll<number>().as("count")])
    .executeTakeFirstOrThrow();
  const { numInsertedOrUpdatedRows = 0n } =
    last.email === null ? {} : await insertEmails(tx, week, { after: row.lastEmail, upTo: last.email });
  if (numInsertedOrUpdatedRows > 0n) tx.afterCommit((site) => site.outbox.wake(site));
  const isLast = Number(last.count) < subscribersPerBatch;
  await tx.db
    .updateTable("newsletters")
    .set((eb) => ({
      lastEmail: isLast ? "" : (last.email ?? row.lastEmail),
      recipients: eb("recipients", "+", Number(numInsertedOrUpdatedRows)),
      state: isLast ? "queued" : "queueing",
    }))
    .where("week", "=", week)
    .execute();
  return !isLast;
}

function subscribersAfter({ db }: SiteTransaction, after: string) {
  return db.selectFrom("subscribers").select(["email", "token"]).where("confirmedAt", "is not", null).where("email", ">", after);
}

/**
 * A single insert … select, several times as fast as sending the rows. Tokens need no JSON escaping. A range instead of a limit: people may
 * have subscribed or unsubscribed since `upTo` was read.
 */
function insertEmails(tx: SiteTransaction, week: number, { after, upTo }: { after: string; upTo: string }) {
  const now = tx.now();
  return tx.db
    .insertInto("outbox")
    .columns(["kind", "address", "message", "newsletter", "state", "priority", "dueAt", "expiresAt", "createdAt"])
    .expression((eb) =>
      eb
        .selectFrom(subscribersAfter(tx, after).where("email", "<=", upTo).as("b"))
        .select([
          sql.lit("newsletter").as("kind"),
          "b.email as address",
          sql<string>`'{"token":"' || b.token || '"}'`.as("message"),
          sql.lit(week).as("newsletter"),
          sql<"waiting">`'waiting'`.as("state"),
          sql.lit(1).as("priority"),
          sql.lit(now).as("dueAt"),
          sql.lit(now + emailKinds.newsletter.ttlMs).as("expiresAt"),
          sql.lit(now).as("createdAt"),
        ])
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("refused_addresses as r").select("r.address").whereRef("r.address", "=", "b.email"))),
        )
        .orderBy("b.email"),
    )
    .executeTakeFirstOrThrow();
}
