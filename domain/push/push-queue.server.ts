import { sql } from "kysely";
import { jsonRows } from "#platform/database/json-rows.ts";
import { days, minutes, seconds } from "#platform/time.ts";
import type { SiteTransaction } from "../site.ts";

/** `bundle`: time to undo a like; `message`: time to read it on the site. */
export const pushDelayMs = { bundle: minutes(1), message: seconds(10), none: 0 };

const ttlMs = days(1);
const devicesPerBatch = 500;

export type PushedEntry = { kind: string; key: string };

type DuePush = PushedEntry & { userId: string };

/** Idempotent while the push waits. */
export async function queuePush(tx: SiteTransaction, userId: string, entry: PushedEntry, delayMs: number): Promise<void> {
  await queuePushes(tx, [{ userId, ...entry }], delayMs);
}

export async function queuePushes(tx: SiteTransaction, pushes: DuePush[], delayMs: number): Promise<void> {
  const dueAt = tx.now() + delayMs;
  const columns = { userId: "text", kind: "text", key: "text" } as const;
  await sql`insert into "pushes" (device, kind, key, "dueAt", "expiresAt")
    select d.number, r.kind, r.key, cast(${dueAt} as bigint), cast(${dueAt + ttlMs} as bigint)
    from ${jsonRows(tx.engine, columns, pushes)} as r join push_devices d on d."userId" = r."userId" where true
    on conflict (device, kind, key) do nothing`.execute(tx.db);
}

type NewPost = { id: string; userId: string };

/** One batch of the author's followers. @returns the last device number if more may remain. */
export async function queueNewPostPushes(tx: SiteTransaction, { id, userId }: NewPost, after: number): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`select d.number from follows f join push_devices d on d."userId" = f."followerId"
    where f."followedId" = ${userId} and d.number > ${after} order by d.number limit ${sql.lit(devicesPerBatch)}`.execute(tx.db);
  const last = rows.at(-1)?.number;
  if (last === undefined) return undefined;
  const now = tx.now();
  const due = { kind: "story", key: id, dueAt: now, expiresAt: now + ttlMs };
  await tx.db
    .insertInto("pushes")
    .values(rows.map(({ number }) => ({ device: Number(number), ...due })))
    .onConflict((conflict) => conflict.columns(["device", "kind", "key"]).doNothing())
    .execute();
  return rows.length === devicesPerBatch ? Number(last) : undefined;
}
