import { mayReadPost } from "#domain/may-read-post.ts";
import { isDuplicate } from "#platform/database/errors.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { newId } from "#platform/ids.ts";
import type { RemovedRow } from "../changes.ts";
import { describeRemoved } from "../documents/live-documents.server.ts";
import { addToBundle, removeFromBundle } from "../notifications/bundles.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, NotFound } from "../refusals.ts";
import { requireFeature } from "../settings/features.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";

const counters = { likes: "likesCount", bookmarks: "bookmarksCount" } as const;
const kinds = { likes: "like", bookmarks: "bookmark" } as const;
type Reaction = keyof typeof counters;

export type ReactionState = { on: boolean; count: number };

/** Idempotent. @throws NotFound, NotAllowed while likes are off. */
export function setLike(site: Site, viewer: Viewer, postId: string, enabled: boolean, id?: string): Promise<ReactionState> {
  return setReaction(site, viewer, "likes", postId, enabled, id);
}

export function setBookmark(site: Site, viewer: Viewer, postId: string, enabled: boolean, id?: string): Promise<ReactionState> {
  return setReaction(site, viewer, "bookmarks", postId, enabled, id);
}

async function setReaction(
  site: Site,
  viewer: Viewer,
  reaction: Reaction,
  postId: string,
  on: boolean,
  id?: string,
): Promise<ReactionState> {
  requirePermission(viewer, "like or bookmark");
  requireFeature(site, reaction);
  const work = transaction(site, async (tx) => {
    const counter = counters[reaction];
    const before = await requireReadable(tx, viewer, postId);
    const at = tx.now();
    const record = on
      ? await insertReaction(tx, { table: reaction, postId, userId: viewer.id, at, id })
      : await remove(tx, viewer.id, reaction, postId);
    if (!record) return { on, count: before[counter] };
    const { count } = await tx.db
      .updateTable("posts")
      .set((eb) => ({ [counter]: eb(counter, "+", on ? 1 : -1) }))
      .where("id", "=", postId)
      .returning(`${counter} as count`)
      .executeTakeFirstOrThrow();
    tx.changed("reaction.changed", { reaction, postId, userId: viewer.id, on, count, record });
    const bundle = { userId: before.userId, kind: kinds[reaction], postId };
    await (on ? addToBundle(tx, bundle, { actorId: viewer.id, at }) : removeFromBundle(tx, bundle));
    return { on, count };
  });
  return work.catch((error) => {
    throw id && isDuplicate(error) ? new Conflict("Another record has this id", "id") : error;
  });
}

/** @throws NotFound. */
export async function findReaction(site: Site, viewer: Viewer, reaction: Reaction, postId: string): Promise<string> {
  const own = site.db.selectFrom(reaction).select("id").where("postId", "=", postId);
  const row = await own.where("userId", "=", viewer?.id ?? "").executeTakeFirst();
  if (!row) throw new NotFound();
  return row.id;
}

async function requireReadable(tx: SiteTransaction, viewer: Viewer, postId: string) {
  const query = tx.db.selectFrom("posts").select(["status", "userId", "heldBy", "likesCount", "bookmarksCount"]).where("id", "=", postId);
  // Locked because its counter changes next.
  const post = await forUpdate(tx, query).executeTakeFirst();
  if (!post || !mayReadPost(viewer, post)) throw new NotFound();
  return post;
}

type NewReaction = { table: Reaction; postId: string; userId: string; at: number; id: string | undefined };

async function insertReaction(tx: SiteTransaction, { table, postId, userId, at, id }: NewReaction): Promise<string | undefined> {
  const row = { id: id ?? newId(at), postId, userId, createdAt: at };
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(["postId", "userId"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows ? row.id : undefined;
}

async function remove(tx: SiteTransaction, userId: string, table: Reaction, postId: string): Promise<RemovedRow | undefined> {
  const own = tx.db.selectFrom(table).select("id").where("postId", "=", postId).where("userId", "=", userId);
  const row = await own.executeTakeFirst();
  if (!row) return undefined;
  const [removed] = await describeRemoved(tx, table, [row.id]);
  await tx.db.deleteFrom(table).where("id", "=", row.id).execute();
  return removed;
}
