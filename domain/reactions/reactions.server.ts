import { isDuplicate } from "#platform/database/errors.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { newId } from "#platform/ids.ts";
import { announce, announceRemoval } from "../documents/announce.server.ts";
import { may, mustBeAllowed } from "../permissions.ts";
import { Conflict, NotFound } from "../refusals.ts";
import { mustBeSwitchedOn } from "../settings/features.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";

const counters = { likes: "likesCount", bookmarks: "bookmarksCount" } as const;
type Reaction = keyof typeof counters;

/** The viewer's own, and how many there are. */
export type ReactionState = { on: boolean; count: number };

/** Makes a like of the viewer's exist or not exist; saying it twice is saying it once. @throws NotFound for no story that they may read, NotAllowed while likes are off. */
export function setLike(site: Site, viewer: Viewer, postId: string, wanted: boolean, id?: string): Promise<ReactionState> {
  return setReaction(site, viewer, "likes", postId, wanted, id);
}

/** Makes a bookmark of the viewer's exist or not exist, as `setLike` does. */
export function setBookmark(site: Site, viewer: Viewer, postId: string, wanted: boolean, id?: string): Promise<ReactionState> {
  return setReaction(site, viewer, "bookmarks", postId, wanted, id);
}

/** `id` is what a client calls the record that it makes; one that is there keeps its own. */
async function setReaction(
  site: Site,
  viewer: Viewer,
  reaction: Reaction,
  postId: string,
  on: boolean,
  id?: string,
): Promise<ReactionState> {
  mustBeAllowed(viewer, "like or bookmark");
  mustBeSwitchedOn(site, reaction);
  const work = transaction(site, async (tx) => {
    const counter = counters[reaction];
    const before = await requireReadable(tx, viewer, postId);
    const changed = on ? await add(tx, viewer.id, reaction, postId, id) : await remove(tx, viewer.id, reaction, postId);
    if (!changed) return { on, count: before[counter] };
    const { count } = await tx.db
      .updateTable("posts")
      .set((eb) => ({ [counter]: eb(counter, "+", on ? 1 : -1) }))
      .where("id", "=", postId)
      .returning(`${counter} as count`)
      .executeTakeFirstOrThrow();
    // Everybody who reads the story hears the count; whose reaction it was, only that person's other tabs.
    tx.publish({ topic: `user:${viewer.id}`, type: `${reaction}.changed`, data: { postId, on, count } });
    tx.publish({ topic: `post:${postId}`, type: `${reaction}.changed`, data: { count } });
    return { on, count };
  });
  return work.catch((error) => {
    throw id && isDuplicate(error) ? new Conflict("Another record has this id", "id") : error;
  });
}

/** The id of the viewer's own like or bookmark of a story. @throws NotFound. */
export async function findReaction(site: Site, viewer: Viewer, reaction: Reaction, postId: string): Promise<string> {
  const own = site.db.selectFrom(reaction).select("id").where("postId", "=", postId);
  const row = await own.where("userId", "=", viewer?.id ?? "").executeTakeFirst();
  if (!row) throw new NotFound();
  return row.id;
}

async function requireReadable(tx: SiteTransaction, viewer: Viewer, postId: string) {
  const query = tx.db.selectFrom("posts").select(["status", "userId", "likesCount", "bookmarksCount"]).where("id", "=", postId);
  // Locked, because it is counted up or down next; and so it can't be deleted meanwhile.
  const post = await forUpdate(tx, query).executeTakeFirst();
  if (!post || !may(viewer, post.status === "active" ? "read a published story" : "read a draft", post.userId)) throw new NotFound();
  return post;
}

async function add(tx: SiteTransaction, userId: string, table: Reaction, postId: string, id: string | undefined): Promise<boolean> {
  const row = { id: id ?? newId(tx.now()), postId, userId, createdAt: tx.now() };
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(["postId", "userId"]).doNothing())
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) return false;
  announce(tx, table, "create", row.id);
  return true;
}

async function remove(tx: SiteTransaction, userId: string, table: Reaction, postId: string): Promise<boolean> {
  const own = tx.db.selectFrom(table).select("id").where("postId", "=", postId).where("userId", "=", userId);
  const row = await own.executeTakeFirst();
  if (!row) return false;
  await announceRemoval(tx, table, row.id);
  await tx.db.deleteFrom(table).where("id", "=", row.id).execute();
  return true;
}
