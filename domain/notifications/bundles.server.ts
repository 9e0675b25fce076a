import { sql } from "kysely";
import { minutes } from "#platform/time.ts";
import { hasPushDevice } from "../push/push-devices.server.ts";
import { pushDelayMs, queuePush } from "../push/push-queue.server.ts";
import type { SiteTransaction } from "../site.ts";
import { bundleSources } from "./bundle-sources.server.ts";
import { type BundledKind, digestFrequencies } from "./kinds.ts";
import { readPreference } from "./preferences.server.ts";

export const bundleEmailDelayMs = minutes(5);

export type Bundle = { userId: string; kind: BundledKind; postId: string | null };

/**
 * Extends the member's unread notification or adds one. The caller must hold a lock on the story or the member's counters, so that two
 * callers don't both add one.
 */
export async function addToBundle(tx: SiteTransaction, bundle: Bundle, { actorId, at }: { actorId: string; at: number }): Promise<void> {
  const { userId, kind } = bundle;
  if (userId === actorId) return;
  const { onSite, email, push } = await readPreference(tx, userId, kind);
  if ((!onSite && email === "never" && !(push && (await hasPushDevice(tx, userId)))) || (await isBlocked(tx, userId, actorId))) return;
  if (!onSite && !digestFrequencies.some((each) => each === email)) await markSentBundleRead(tx, bundle);
  // Clocks of different processes may differ.
  const widened = {
    since: sql<number>`case when since < ${at} then since else ${at} end`,
    updatedAt: sql<number>`case when "updatedAt" > ${at} then "updatedAt" else ${at} end`,
  };
  const { numUpdatedRows } = await openRow(tx, bundle).set(widened).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) {
    // Followers are emailed individually (follow-emails.server.ts).
    const emailDueAt = email === "at-once" && kind !== "follower" ? at + bundleEmailDelayMs : null;
    const { number } = await tx.db
      .insertInto("notifications")
      .values({ ...bundle, since: at, updatedAt: at, readAt: null, emailDueAt })
      .returning("number")
      .executeTakeFirstOrThrow();
    if (push) await queuePush(tx, userId, { kind, key: String(number) }, pushDelayMs.bundle);
  }
  tx.changed("notification.changed", { userId });
}

/**
 * Nobody can read a bundle of a kind that is off on the site, so it ends when its email and pushes have been sent. A digest ends those that
 * it contains.
 */
async function markSentBundleRead(tx: SiteTransaction, bundle: Bundle): Promise<void> {
  const waits = sql<boolean>`exists (select 1 from pushes w join push_devices d on d.number = w.device
    where d."userId" = ${bundle.userId} and w.kind = ${bundle.kind} and w.key = cast(notifications.number as text))`;
  await openRow(tx, bundle)
    .set({ readAt: tx.now() })
    .where("emailDueAt", "is", null)
    .where((eb) => eb.not(waits))
    .execute();
}

function openRow({ db }: SiteTransaction, { userId, kind, postId }: Bundle) {
  const open = db.updateTable("notifications").where("userId", "=", userId).where("kind", "=", kind).where("readAt", "is", null);
  return postId === null ? open.where("postId", "is", null) : open.where("postId", "=", postId);
}

export async function isBlocked({ db }: SiteTransaction, userId: string, blockedId: string): Promise<boolean> {
  const blocks = db.selectFrom("blocks").select("userId").where("userId", "=", userId);
  return (await blocks.where("blockedId", "=", blockedId).executeTakeFirst()) !== undefined;
}

/** Shrinks the unread notification, or deletes it if nothing is left. */
export async function removeFromBundle(tx: SiteTransaction, bundle: Bundle): Promise<void> {
  const { userId, kind, postId } = bundle;
  const { table, actor, about } = bundleSources[kind];
  const newest = sql<number>`(select max(a."createdAt") from ${sql.table(table)} a
    where a.${sql.ref(about)} = ${postId ?? userId} and a.${sql.ref(actor)} <> ${userId} and a."createdAt" >= since)`;
  // -1: nothing is left, so the row is deleted below.
  const row = await openRow(tx, bundle)
    .set({ updatedAt: sql<number>`coalesce(${newest}, -1)` })
    .returning(["number", "updatedAt"])
    .executeTakeFirst();
  if (!row) return;
  if (Number(row.updatedAt) < 0) await tx.db.deleteFrom("notifications").where("number", "=", row.number).execute();
  tx.changed("notification.changed", { userId });
}

/** Before an account is deleted: removes notifications that only its member caused. */
export async function removeBundlesOf({ db }: SiteTransaction, actorId: string): Promise<void> {
  for (const [kind, { table, actor, about }] of Object.entries(bundleSources)) {
    const subject = about === "postId" ? "postId" : "userId";
    const isOf = (who: "=" | "<>") => sql<boolean>`exists (select 1 from ${sql.table(table)} a
      where a.${sql.ref(about)} = notifications.${sql.ref(subject)} and a.${sql.ref(actor)} ${sql.raw(who)} ${actorId}
        and a.${sql.ref(actor)} <> notifications."userId" and a."createdAt" >= notifications.since and a."createdAt" <= notifications."updatedAt")`;
    const affected = sql<string>`(select a.${sql.ref(about)} from ${sql.table(table)} a where a.${sql.ref(actor)} = ${actorId})`;
    await db
      .deleteFrom("notifications")
      .where(subject, "in", affected)
      .where("kind", "=", kind)
      .where(isOf("="))
      .where((eb) => eb.not(isOf("<>")))
      .execute();
  }
}
