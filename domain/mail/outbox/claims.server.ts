import { randomUUID } from "node:crypto";
import { type Site, type SiteTransaction, transaction } from "#domain/site.ts";
import { lockUntilCommit } from "#platform/database/locks.ts";
import { minutes, seconds } from "#platform/time.ts";

/** After this time the claiming process is considered dead. */
const claimTtlMs = minutes(2);
const emailsPerClaim = 20;

export type ClaimedEmail = {
  number: number;
  kind: string;
  address: string;
  message: string | null;
  tries: number;
  expiresAt: number;
  newsletter: number | null;
  claim: string;
  isBulk: boolean;
};

/**
 * Claims due emails for this process, within the rate limit of all processes together. Emails to lists are claimed only if no others are
 * due.
 */
export async function claimEmails(site: Site): Promise<ClaimedEmail[]> {
  if (!(await isAnythingDue(site))) return [];
  return transaction(site, async (tx) => {
    await lockUntilCommit(tx, "outbox");
    await failAbandoned(tx);
    const quota = await remainingQuota(tx, site.mail.perMinute);
    const others = await claimNext(tx, { isBulk: false, limit: quota.all });
    return others.length > 0 ? others : claimNext(tx, { isBulk: true, limit: quota.bulk });
  });
}

async function claimNext(tx: SiteTransaction, { isBulk, limit }: { isBulk: boolean; limit: number }): Promise<ClaimedEmail[]> {
  if (limit <= 0) return [];
  const claim = randomUUID();
  const rows = await tx.db
    .updateTable("outbox")
    .set({ claim, startedAt: tx.now(), dueAt: tx.now() + claimTtlMs })
    .where("number", "in", (eb) =>
      eb
        .selectFrom("outbox")
        .select("number")
        .where("state", "=", "waiting")
        .where("priority", "=", isBulk ? 1 : 0)
        .where("dueAt", "<=", tx.now())
        .orderBy("number")
        .limit(limit),
    )
    .returning(["number", "kind", "address", "message", "tries", "expiresAt", "newsletter"])
    .execute();
  return rows.map((row) => ({ ...row, claim, isBulk })).sort((a, b) => a.number - b.number);
}

/** Read-only: writing would invalidate cached pages. */
async function isAnythingDue({ db, now }: Site): Promise<boolean> {
  const row = await db
    .selectFrom("outbox")
    .select("number")
    .where("state", "in", ["waiting", "sending"])
    .where("dueAt", "<=", now())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const maybeSent = "The site’s process stopped while sending this. It may have arrived.";
const tooLate = "It expired before it could be sent.";

async function failAbandoned({ db, now }: SiteTransaction): Promise<void> {
  // Never retried automatically: the server may have accepted it.
  await db
    .updateTable("outbox")
    .set({ state: "unknown", problem: maybeSent, finishedAt: now() })
    .where("state", "=", "sending")
    .where("dueAt", "<=", now())
    .execute();
  await db
    .updateTable("outbox")
    .set((eb) => ({ state: "failed", message: null, problem: eb.fn.coalesce("problem", eb.val(tooLate)), finishedAt: now() }))
    .where("state", "=", "waiting")
    .where("expiresAt", "<=", now())
    .execute();
}

/** The rest is reserved for emails that people wait for. */
export function bulkEmailsPerMinute(perMinute: number): number {
  return Math.ceil(perMinute * 0.8);
}

/** Spreads emails to lists over the seconds of a minute: a large burst would delay readers. */
async function remainingQuota({ db, now }: SiteTransaction, perMinute: number | undefined): Promise<{ all: number; bulk: number }> {
  if (perMinute === undefined) return { all: emailsPerClaim, bulk: emailsPerClaim };
  const { all, bulk, bulkNow } = await db
    .selectFrom("outbox")
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      fn.countAll<number>().filterWhere("priority", "=", 1).as("bulk"),
      fn
        .countAll<number>()
        .filterWhere("priority", "=", 1)
        .filterWhere("startedAt", ">", now() - seconds(1))
        .as("bulkNow"),
    ])
    .where("startedAt", ">", now() - minutes(1))
    .executeTakeFirstOrThrow();
  const quota = Math.min(emailsPerClaim, perMinute - Number(all));
  const forBulk = bulkEmailsPerMinute(perMinute);
  return { all: quota, bulk: Math.min(quota, forBulk - Number(bulk), Math.ceil(forBulk / 60) - Number(bulkNow)) };
}

/** From here on the server may have accepted the email. @throws ClaimEnded. */
export async function markSending(site: Site, { number, claim }: ClaimedEmail): Promise<void> {
  const { numUpdatedRows } = await site.db
    .updateTable("outbox")
    .set({ state: "sending", dueAt: site.now() + claimTtlMs })
    .where("number", "=", number)
    .where("claim", "=", claim)
    .where("state", "=", "waiting")
    .where("dueAt", ">", site.now())
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new ClaimEnded();
}

export class ClaimEnded extends Error {
  constructor() {
    super("the claim on this email has ended");
  }
}
