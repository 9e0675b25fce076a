import type { Site } from "#domain/site.ts";

/** Backups and checks share it: one at a time, whichever process of the site it is. */
const upkeep = "upkeep";
/** Milliseconds for which a process that says nothing more is believed to be at work. */
const leaseTimeoutMs = 90_000;

/** @param dueOnly not before the time that it was postponed to. @returns whether this process, as `holder`, is the one that may work now. */
export async function takeLease(site: Site, holder: string, { job = upkeep, dueOnly = false } = {}): Promise<boolean> {
  const now = site.now();
  await ensureJob(site, job, now);
  const { numUpdatedRows } = await site.db
    .updateTable("jobs")
    .set({ holder, heldUntil: now + leaseTimeoutMs })
    .where("name", "=", job)
    .where("heldUntil", "<=", now)
    .$if(dueOnly, (query) => query.where("dueAt", "<=", now))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** @returns false when someone else has taken over meanwhile. */
export async function keepLease(site: Site, holder: string, job = upkeep): Promise<boolean> {
  const { numUpdatedRows } = await site.db
    .updateTable("jobs")
    .set({ heldUntil: site.now() + leaseTimeoutMs })
    .where("name", "=", job)
    .where("holder", "=", holder)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function dropLease(site: Site, holder: string, job = upkeep): Promise<void> {
  await site.db.updateTable("jobs").set({ heldUntil: 0 }).where("name", "=", job).where("holder", "=", holder).execute();
}

export async function postpone({ db }: Site, job: string, dueAt: number): Promise<void> {
  await db.updateTable("jobs").set({ dueAt }).where("name", "=", job).execute();
}

/** Whether some process makes a backup: no bytes may go that it may be about to copy. */
export async function isBackingUp(site: Site): Promise<boolean> {
  return (await readHolder(site)) !== undefined;
}

export async function readHolder(site: Site): Promise<string | undefined> {
  const row = await site.db
    .selectFrom("jobs")
    .select("holder")
    .where("name", "=", upkeep)
    .where("heldUntil", ">", site.now())
    .executeTakeFirst();
  return row?.holder;
}

/** When the next scheduled backup is due, in milliseconds; the first time, `first` from now. */
export async function readDue(site: Site, first: number): Promise<number> {
  const due = site.db.selectFrom("jobs").select("dueAt").where("name", "=", scheduled);
  const row = await due.executeTakeFirst();
  if (row) return row.dueAt;
  await ensureJob(site, scheduled, site.now() + first);
  return (await due.executeTakeFirstOrThrow()).dueAt;
}

const scheduled = "scheduled-backup";

async function ensureJob({ db }: Site, name: string, dueAt: number): Promise<void> {
  await db
    .insertInto("jobs")
    .values({ name, holder: "", heldUntil: 0, dueAt })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

/** @returns whether it was this process that put it off: of several that see it due, one. */
export async function postponeBackup(site: Site, due: number, until: number): Promise<boolean> {
  const { numUpdatedRows } = await site.db
    .updateTable("jobs")
    .set({ dueAt: until })
    .where("name", "=", scheduled)
    .where("dueAt", "=", due)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
