import { lockRows } from "#platform/database/locks.ts";
import { newId } from "#platform/ids.ts";
import type { RemovedRow } from "../changes.ts";
import { describeRemoved } from "../documents/live-documents.server.ts";
import { fullCount } from "../format.ts";
import { addToBundle, removeFromBundle } from "../notifications/bundles.server.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound, TooMany } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { emailNewFollower } from "./follow-emails.server.ts";

/** Pages look up each followed member's newest stories, which takes 10 ms for as many. */
const maxFollowed = 5_000;

/** @throws NotFound, TooMany. */
export async function setFollow(site: Site, viewer: Viewer, { userId, following }: { userId: string; following: boolean }): Promise<void> {
  requirePermission(viewer, "follow a member", userId);
  await transaction(site, async (tx) => {
    await requireMember(tx, userId);
    const at = tx.now();
    const record = following ? await addFollow(tx, viewer.id, userId, at) : await remove(tx, viewer.id, userId);
    if (!record) return;
    await updateFollowCounts(tx, viewer.id, userId, following ? 1 : -1);
    if (following && (await readFollowCounts(tx, viewer.id)).following > maxFollowed)
      throw new TooMany(`You can’t follow more than ${fullCount(maxFollowed)} members`);
    tx.changed("follow.changed", { followerId: viewer.id, followedId: userId, following, record });
    const bundle = { userId, kind: "follower", postId: null } as const;
    if (!following) return removeFromBundle(tx, bundle);
    await addToBundle(tx, bundle, { actorId: viewer.id, at });
    await emailNewFollower(site, tx, viewer, userId);
  });
}

async function requireMember(tx: SiteTransaction, userId: string): Promise<void> {
  if (!(await tx.db.selectFrom("users").select("id").where("id", "=", userId).executeTakeFirst())) throw new NotFound();
}

async function addFollow(tx: SiteTransaction, followerId: string, followedId: string, at: number): Promise<string | undefined> {
  const id = newId(at);
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto("follows")
    .values({ id, followerId, followedId, createdAt: at })
    .onConflict((conflict) => conflict.columns(["followerId", "followedId"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows ? id : undefined;
}

async function remove(tx: SiteTransaction, followerId: string, followedId: string): Promise<RemovedRow | undefined> {
  const own = tx.db.selectFrom("follows").select("id").where("followerId", "=", followerId).where("followedId", "=", followedId);
  const row = await own.executeTakeFirst();
  if (!row) return undefined;
  const [removed] = await describeRemoved(tx, "follows", [row.id]);
  const { numDeletedRows } = await tx.db.deleteFrom("follows").where("id", "=", row.id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n ? removed : undefined;
}

/** @throws NotFound. */
export async function findFollow(site: Site, viewer: Viewer, followedId: string): Promise<string> {
  const own = site.db
    .selectFrom("follows")
    .select("id")
    .where("followerId", "=", viewer?.id ?? "");
  const row = await own.where("followedId", "=", followedId).executeTakeFirst();
  if (!row) throw new NotFound();
  return row.id;
}

/** One statement in id order: two members who follow each other could deadlock otherwise. */
async function updateFollowCounts(tx: SiteTransaction, followerId: string, followedId: string, step: 1 | -1): Promise<void> {
  const rows = [
    { userId: followerId, followers: 0, following: step },
    { userId: followedId, followers: step, following: 0 },
  ].sort((a, b) => (a.userId < b.userId ? -1 : 1));
  await tx.db
    .insertInto("follow_counts")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet((eb) => ({
        followers: eb("follow_counts.followers", "+", eb.ref("excluded.followers")),
        following: eb("follow_counts.following", "+", eb.ref("excluded.following")),
      })),
    )
    .execute();
}

export async function isFollowing(site: Site, viewer: Viewer, userId: string): Promise<boolean> {
  if (!viewer) return false;
  const row = await site.db
    .selectFrom("follows")
    .select("followedId")
    .where("followerId", "=", viewer.id)
    .where("followedId", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readFollowCounts(
  { db }: Pick<Site, "db"> | Pick<SiteTransaction, "db">,
  userId: string,
): Promise<{ followers: number; following: number }> {
  const row = await db.selectFrom("follow_counts").select(["followers", "following"]).where("userId", "=", userId).executeTakeFirst();
  return row ?? { followers: 0, following: 0 };
}

export async function listFollowedIds(site: Site, viewer: Viewer): Promise<string[]> {
  requirePermission(viewer, "see own follows", viewer?.id);
  const rows = await site.db.selectFrom("follows").select("followedId").where("followerId", "=", viewer.id).limit(1000).execute();
  return rows.map(({ followedId }) => followedId);
}

/** The rows before the counts, as `setFollow` does. Until the transaction ends nobody can end one, so that each is subtracted once. */
export async function lockFollows({ db, engine }: SiteTransaction, userId: string): Promise<void> {
  const follows = db.selectFrom("follows").where((eb) => eb.or([eb("followerId", "=", userId), eb("followedId", "=", userId)]));
  await lockRows({ db, engine }, follows.select("id").orderBy("id"));
  const followed = db.selectFrom("follows").select("followedId as userId").where("followerId", "=", userId);
  const followers = db.selectFrom("follows").select("followerId as userId").where("followedId", "=", userId);
  const counts = db.selectFrom("follow_counts").select("userId").where("userId", "in", followed.union(followers));
  await lockRows({ db, engine }, counts.orderBy("userId"));
}

/** Before an account is deleted, after `lockFollows`. */
export async function removeFollows(tx: SiteTransaction, userId: string): Promise<void> {
  await tx.db
    .updateTable("follow_counts")
    .set((eb) => ({ followers: eb("followers", "-", eb.lit(1)) }))
    .where("userId", "in", (eb) => eb.selectFrom("follows").select("followedId").where("followerId", "=", userId))
    .execute();
  await tx.db
    .updateTable("follow_counts")
    .set((eb) => ({ following: eb("following", "-", eb.lit(1)) }))
    .where("userId", "in", (eb) => eb.selectFrom("follows").select("followerId").where("followedId", "=", userId))
    .execute();
  await tx.db
    .deleteFrom("follows")
    .where((eb) => eb.or([eb("followerId", "=", userId), eb("followedId", "=", userId)]))
    .execute();
}
