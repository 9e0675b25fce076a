import { forUpdate } from "#platform/database/locks.ts";
import { may, mustBeAllowed } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";

const counters = { likes: "likesCount", bookmarks: "bookmarksCount" } as const;
type Reaction = keyof typeof counters;

/** Makes a like of the viewer's exist or not exist; saying it twice is saying it once. @throws NotFound for no story that they may read. */
export function setLike(site: Site, viewer: Viewer, postId: string, wanted: boolean): Promise<void> {
  return setReaction(site, viewer, "likes", postId, wanted);
}

/** Makes a bookmark of the viewer's exist or not exist, as `setLike` does. */
export function setBookmark(site: Site, viewer: Viewer, postId: string, wanted: boolean): Promise<void> {
  return setReaction(site, viewer, "bookmarks", postId, wanted);
}

async function setReaction(site: Site, viewer: Viewer, reaction: Reaction, postId: string, wanted: boolean): Promise<void> {
  mustBeAllowed(viewer, "like or bookmark");
  await transaction(site, async (tx) => {
    await requireReadable(tx, viewer, postId);
    const changed = wanted ? await add(tx, viewer.id, reaction, postId) : await remove(tx, viewer.id, reaction, postId);
    if (!changed) return;
    const counter = counters[reaction];
    const step = wanted ? 1 : -1;
    await tx.db
      .updateTable("posts")
      .set((eb) => ({ [counter]: eb(counter, "+", step) }))
      .where("id", "=", postId)
      .execute();
    tx.publish({ topic: `post:${postId}`, type: `${reaction}.changed` });
  });
}

async function requireReadable(tx: SiteTransaction, viewer: Viewer, postId: string): Promise<void> {
  // Locked, because it is counted up or down next; and so it can't be deleted meanwhile.
  const post = await forUpdate(tx, tx.db.selectFrom("posts").select(["status", "userId"]).where("id", "=", postId)).executeTakeFirst();
  if (!post || !may(viewer, post.status === "active" ? "read a published story" : "read a draft", post.userId)) throw new NotFound();
}

async function add(tx: SiteTransaction, userId: string, table: Reaction, postId: string): Promise<boolean> {
  const row = { postId, userId, createdAt: tx.now() };
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(["postId", "userId"]).doNothing())
    .executeTakeFirstOrThrow();
  return Boolean(numInsertedOrUpdatedRows);
}

async function remove(tx: SiteTransaction, userId: string, table: Reaction, postId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom(table)
    .where("postId", "=", postId)
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
