import type { ExpressionBuilder } from "kysely";
import type { Site, SiteTransaction } from "#domain/site.ts";
import type { Tables } from "#platform/database/schema.ts";

/** Shared by backups and checks: one at a time per site. */
const backups = "backups";
/** A process that doesn't renew its lease is considered dead after this time. */
const leaseTimeoutMs = 90_000;
/** Beyond this, a clock that was wrong wrote the lease. Twice, because the clocks of two machines differ. */
const longestLeaseMs = 2 * leaseTimeoutMs;

type NewLease = { job?: string; dueWithinMs?: number };

/**
 * @param dueWithinMs the longest postponement of the job, which gets no lease before its due time; by default it gets one at any time.
 * @returns whether `holder` got the lease.
 */
export async function acquireLease(site: Site, holder: string, { job = backups, dueWithinMs }: NewLease = {}): Promise<boolean> {
  const now = site.now();
  await ensureJob(site, job, now);
  const { numUpdatedRows } = await site.db
    .updateTable("jobs")
    .set({ holder, heldUntil: now + leaseTimeoutMs })
    .where("name", "=", job)
    .where((eb) => eb.or([eb("heldUntil", "<=", now), eb("heldUntil", ">", now + longestLeaseMs)]))
    .$if(dueWithinMs !== undefined, (query) => query.where((eb) => isDue(eb, now, dueWithinMs ?? 0)))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** @returns false if another process has taken over. */
async function renewLease(site: Site, holder: string, job = backups): Promise<boolean> {
  const { numUpdatedRows } = await site.db
    .updateTable("jobs")
    .set({ heldUntil: site.now() + leaseTimeoutMs })
    .where("name", "=", job)
    .where("holder", "=", holder)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

type HeldLease = { job?: string; renewEveryMs: number; onRenewed?: () => Promise<unknown> };

/** Runs `work` and renews the lease. Its signal aborts when the lease is lost or the site closes. */
export async function withLease<Result>(
  site: Site,
  holder: string,
  { job = backups, renewEveryMs, onRenewed }: HeldLease,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  site.memory.backupRuns.add(abort);
  const renew = async () => {
    try {
      if (!(await renewLease(site, holder, job))) abort.abort();
      await onRenewed?.();
    } catch (err) {
      site.log.warn({ err, job }, "a lease could not be renewed");
    }
  };
  const timer = setInterval(() => void renew(), renewEveryMs);
  timer.unref();
  try {
    return await work(abort.signal);
  } finally {
    clearInterval(timer);
    site.memory.backupRuns.delete(abort);
  }
}

export async function releaseLease({ db }: Pick<Site | SiteTransaction, "db">, holder: string, job = backups): Promise<void> {
  await db.updateTable("jobs").set({ heldUntil: 0 }).where("name", "=", job).where("holder", "=", holder).execute();
}

export async function postpone({ db }: Site, job: string, dueAt: number): Promise<void> {
  await db.updateTable("jobs").set({ dueAt }).where("name", "=", job).execute();
}

/** While true, no file may be deleted. */
export async function isBackingUp(site: Site): Promise<boolean> {
  return (await readHolder(site)) !== undefined;
}

export async function readHolder(site: Site): Promise<string | undefined> {
  const now = site.now();
  const row = await site.db
    .selectFrom("jobs")
    .select("holder")
    .where("name", "=", backups)
    .where("heldUntil", ">", now)
    .where("heldUntil", "<=", now + longestLeaseMs)
    .executeTakeFirst();
  return row?.holder;
}

/** Later than the interval: a clock that was wrong wrote it, or the interval was longer. */
function isDue(eb: ExpressionBuilder<Tables, "jobs">, now: number, everyMs: number) {
  return eb.or([eb("dueAt", "<=", now), eb("dueAt", ">", now + everyMs)]);
}

/** @returns true for one caller in each interval. `retryMs`: the job is due again after it, and not before it the first time. */
export async function claimOnce(tx: SiteTransaction, job: string, everyMs: number, retryMs?: number): Promise<boolean> {
  const now = tx.now();
  await ensureJob(tx, job, now + (retryMs ?? 0));
  const { numUpdatedRows } = await tx.db
    .updateTable("jobs")
    .set({ dueAt: now + (retryMs ?? everyMs) })
    .where("name", "=", job)
    .where((eb) => isDue(eb, now, everyMs))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function ensureJob({ db }: Pick<Site | SiteTransaction, "db">, name: string, dueAt: number): Promise<void> {
  await db
    .insertInto("jobs")
    .values({ name, holder: "", heldUntil: 0, dueAt })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}
