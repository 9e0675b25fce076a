import { recordAudit } from "#domain/audit/audit.server.ts";
import type { AuditAction } from "#domain/audit/audit.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Conflict } from "#domain/refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "#domain/site.ts";
import { forgetRefusedEmail } from "../refused-emails.server.ts";
import { sendTestEmailTo } from "../test-email.server.ts";
import type { TestEmailResult } from "../test-email.ts";
import { type EmailCounts, type EmailList, emailLists, outboxTexts, type QueuedEmail, statesIn } from "./queued-email.ts";

export async function listEmails(
  site: Site,
  viewer: Viewer,
  { list, before, limit }: { list: EmailList; before?: number | undefined; limit: number },
): Promise<{ emails: QueuedEmail[]; next: number | null }> {
  requirePermission(viewer, "manage emails");
  let query = site.db
    .selectFrom("outbox")
    .select(["number", "kind", "address", "state", "tries", "dueAt", "createdAt", "finishedAt", "problem", "expiresAt"])
    .select((eb) => eb.case().when("message", "is not", null).then(1).else(0).end().as("hasText"))
    .where("state", "in", statesIn[list])
    .orderBy("number", "desc")
    .limit(limit + 1);
  if (before !== undefined) query = query.where("number", "<", before);
  const rows = await query.execute();
  const emails = rows
    .slice(0, limit)
    .map(({ hasText, expiresAt, ...row }) => ({ ...row, canBeSent: hasText === 1 && expiresAt > site.now() }));
  return { emails, next: rows.length > limit ? (emails.at(-1)?.number ?? null) : null };
}

export async function countEmails(site: Site, viewer: Viewer): Promise<EmailCounts> {
  requirePermission(viewer, "manage emails");
  const byState = await countByState(site);
  const counts = emailLists.map((list) => [list, statesIn[list].reduce((sum, state) => sum + (byState[state] ?? 0), 0)]);
  return Object.fromEntries(counts) as EmailCounts;
}

export async function countByState({ db }: Pick<Site, "db">): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom("outbox")
    .select((eb) => ["state", eb.fn.countAll<number>().as("count")])
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

/** May send an email of state `unknown` twice. @throws Conflict. */
export async function sendAgain(site: Site, viewer: Viewer, number: number): Promise<void> {
  requirePermission(viewer, "manage emails");
  await transaction(site, async (tx) => {
    const email = await tx.db
      .updateTable("outbox")
      .set({ state: "waiting", claim: null, dueAt: tx.now(), finishedAt: null })
      .where("number", "=", number)
      .where("message", "is not", null)
      .where("expiresAt", ">", tx.now())
      .where((eb) => eb.or([eb("state", "in", ["failed", "unknown"]), eb.and([eb("state", "=", "waiting"), eb("claim", "is", null)])]))
      .returning(["kind", "userId", "address"])
      .executeTakeFirst();
    if (!email) throw new Conflict(outboxTexts.gone);
    await forgetRefusedEmail(tx.db, email.address);
    await recordOutboxAction(tx, viewer, "email.sent-again", number, email.kind);
    tx.afterCommit((site) => site.outbox.wake(site));
  });
}

/** @throws Conflict if it was sent or is being sent. */
export async function discardEmail(site: Site, viewer: Viewer, number: number): Promise<void> {
  requirePermission(viewer, "manage emails");
  await transaction(site, async (tx) => {
    const discarded = await tx.db
      .deleteFrom("outbox")
      .where("number", "=", number)
      .where("state", "in", ["waiting", "failed", "unknown"])
      .returning("kind")
      .executeTakeFirst();
    if (!discarded) throw new Conflict(outboxTexts.gone);
    await recordOutboxAction(tx, viewer, "email.discarded", number, discarded.kind);
  });
}

export async function sendTestEmail(site: Site, viewer: Viewer): Promise<TestEmailResult> {
  requirePermission(viewer, "manage emails");
  return sendTestEmailTo(site, viewer.email, (tx) => recordAudit(tx, viewer, { action: "email.tested", subject: "email:test" }));
}

type OutboxAction = Extract<AuditAction, `email.${string}`>;

function recordOutboxAction(
  tx: SiteTransaction,
  viewer: NonNullable<Viewer>,
  action: OutboxAction,
  number: number,
  kind: string,
): Promise<void> {
  return recordAudit(tx, viewer, { action, subject: `email:${number}`, after: { kind } });
}
