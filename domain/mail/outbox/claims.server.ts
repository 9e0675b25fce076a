import { randomUUID } from "node:crypto";
import { type Site, type SiteTransaction, transaction } from "#domain/site.ts";
import { takeTurn } from "#platform/database/locks.ts";
import { minutes, seconds } from "#platform/time.ts";

/** Milliseconds after which the process that claimed an email is believed to be gone; sending one takes far less. */
const claimLastsMs = minutes(2);
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
  toList: boolean;
};

/**
 * Takes the next emails that are due, for this process alone: nobody else takes them before the claim has ended. How many follows from
 * what all processes have begun to send lately. Those to lists come alone, once no other waits.
 */
export async function claimEmails(site: Site): Promise<ClaimedEmail[]> {
  if (!(await isAnythingDue(site))) return [];
  return transaction(site, async (tx) => {
    await takeTurn(tx, "outbox");
    await failAbandoned(tx);
    const left = await countLeft(tx, site.mail.perMinute);
    const others = await claimNext(tx, { toList: false, limit: left.all });
    return others.length > 0 ? others : claimNext(tx, { toList: true, limit: left.toLists });
  });
}

async function claimNext(tx: SiteTransaction, { toList, limit }: { toList: boolean; limit: number }): Promise<ClaimedEmail[]> {
  if (limit <= 0) return [];
  const claim = randomUUID();
  const rows = await tx.db
    .updateTable("outbox")
    .set({ claim, startedAt: tx.now(), dueAt: tx.now() + claimLastsMs })
    .where("number", "in", (eb) =>
      eb
        .selectFrom("outbox")
        .select("number")
        .where("state", "=", "waiting")
        .where("priority", "=", toList ? 1 : 0)
        .where("dueAt", "<=", tx.now())
        .orderBy("number")
        .limit(limit),
    )
    .returning(["number", "kind", "address", "message", "tries", "expiresAt", "newsletter"])
    .execute();
  return rows.map((row) => ({ ...row, claim, toList })).sort((a, b) => a.number - b.number);
}

/** Only reads: most of the time nothing waits, and no page need be made anew for that. */
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
  // Whoever was sending it is gone: the server may have taken it, so it is never sent a second time on its own.
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

/** Of the site's limit: the rest is for emails that somebody waits for. */
export function listEmailsPerMinute(perMinute: number): number {
  return Math.ceil(perMinute * 0.8);
}

/**
 * How many may be begun now, at most what one claim takes. Emails to lists leave a part of each minute to those that somebody waits for,
 * and go a few each second: hundreds at once would keep readers waiting.
 */
async function countLeft({ db, now }: SiteTransaction, perMinute: number | undefined): Promise<{ all: number; toLists: number }> {
  if (perMinute === undefined) return { all: emailsPerClaim, toLists: emailsPerClaim };
  const { all, toLists, toListsNow } = await db
    .selectFrom("outbox")
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      fn.countAll<number>().filterWhere("priority", "=", 1).as("toLists"),
      fn
        .countAll<number>()
        .filterWhere("priority", "=", 1)
        .filterWhere("startedAt", ">", now() - seconds(1))
        .as("toListsNow"),
    ])
    .where("startedAt", ">", now() - minutes(1))
    .executeTakeFirstOrThrow();
  const left = Math.min(emailsPerClaim, perMinute - Number(all));
  const forLists = listEmailsPerMinute(perMinute);
  return { all: left, toLists: Math.min(left, forLists - Number(toLists), Math.ceil(forLists / 60) - Number(toListsNow)) };
}

/** From here on the server may have it. @throws Error when the claim has ended: somebody else may be sending it. */
export async function markSending(site: Site, { number, claim }: ClaimedEmail): Promise<void> {
  const { numUpdatedRows } = await site.db
    .updateTable("outbox")
    .set({ state: "sending", dueAt: site.now() + claimLastsMs })
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
