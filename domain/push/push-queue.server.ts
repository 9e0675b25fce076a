import { sql } from "kysely";
import { days, minutes, seconds } from "#platform/time.ts";
import type { SiteTransaction } from "../site.ts";

/** Milliseconds in which a like may still be taken back, and in which who is there has read a message. */
export const pushDelayMs = { bundle: minutes(1), message: seconds(10), none: 0 };

/** Milliseconds for which a notification is worth a push. */
const lastsMs = days(1);
const devicesPerBatch = 500;

/** Which notification: the two parts of its entry's id. */
export type PushedEntry = { kind: string; key: string };

/** Has a notification shown on all devices of a member, if they have any and still want it by then; once for each until it is on its way. */
export async function queuePush(tx: SiteTransaction, userId: string, { kind, key }: PushedEntry, delayMs: number): Promise<void> {
  const dueAt = tx.now() + delayMs;
  // Written out: it is part of what each message costs.
  await sql`insert into "pushes" (device, kind, key, "dueAt", "expiresAt")
    select number, ${kind}, ${key}, ${sql.lit(dueAt)}, ${sql.lit(dueAt + lastsMs)} from push_devices where "userId" = ${userId}
    on conflict (device, kind, key) do nothing`.execute(tx.db);
}

type NewStory = { id: string; userId: string };

/** The same for a story just published, on some devices of those who follow its writer. @returns the last of them while there may be more. */
export async function queueStoryPushes(tx: SiteTransaction, { id, userId }: NewStory, after: number): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`select d.number from follows f join push_devices d on d."userId" = f."followerId"
    where f."followedId" = ${userId} and d.number > ${after} order by d.number limit ${sql.lit(devicesPerBatch)}`.execute(tx.db);
  const last = rows.at(-1)?.number;
  if (last === undefined) return undefined;
  const now = tx.now();
  const due = { kind: "story", key: id, dueAt: now, expiresAt: now + lastsMs };
  await tx.db
    .insertInto("pushes")
    .values(rows.map(({ number }) => ({ device: Number(number), ...due })))
    .onConflict((conflict) => conflict.columns(["device", "kind", "key"]).doNothing())
    .execute();
  return rows.length === devicesPerBatch ? Number(last) : undefined;
}
