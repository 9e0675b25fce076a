import { type RawBuilder, sql } from "kysely";
import type { RemovedRow } from "#domain/changes.ts";
import { adjustedLikePrefix } from "#domain/documents/collections.server.ts";
import { describeRemoved } from "#domain/documents/live-documents.server.ts";
import { actionTexts, undoWindowMs } from "#domain/moderation/moderation-action.ts";
import { type ModerationAction, recordModerationAction } from "#domain/moderation/moderation-actions.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Conflict, Invalid } from "#domain/refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "#domain/site.ts";
import { lockPost } from "../../posts/visibility.server.ts";
import { type LikesAdjustment, maxLikesAdjustment, maxViews, moderationTexts } from "./moderation.ts";

/**
 * Adds likes, or removes added likes first, then the newest of readers. Can be undone for 30 days.
 * @throws Invalid for zero, fractions, or more than 10,000 at a time; NotFound.
 */
export async function adjustLikes(site: Site, viewer: Viewer, id: string, by: number): Promise<LikesAdjustment> {
  requirePermission(viewer, "adjust counts");
  if (!Number.isInteger(by)) throw new Invalid(moderationTexts.notANumber, "by");
  if (by === 0) throw new Invalid(moderationTexts.zero, "by");
  return transaction(site, async (tx) => {
    const { title, userId, likesCount, adjustedLikes } = await lockPost(tx, id);
    const change = Math.max(by, -likesCount);
    if (change === 0) return { previousCount: likesCount, newCount: likesCount };
    if (Math.abs(change) > maxLikesAdjustment) throw new Invalid(moderationTexts.tooMuch, "by");
    const adjusted = Math.max(change, -adjustedLikes);
    const newCount = likesCount + change;
    const [before, after] = [
      { title, likes: likesCount, adjusted: adjustedLikes },
      { likes: newCount, adjusted: adjustedLikes + adjusted },
    ];
    const actionId = await recordModerationAction(tx, viewer, {
      ...{ kind: "likes", subject: `post:${id}`, title, memberId: userId, before: { by: change, adjusted } },
      log: { action: "post.likes-adjusted", before, after },
    });
    await changeAdjusted(tx, id, adjusted);
    const removed = change < adjusted ? await removeNewestLikes(tx, id, adjusted - change, actionId) : [];
    await updateLikeCount(tx, id, { likes: change, adjusted, removed, restored: [] });
    return { previousCount: likesCount, newCount };
  });
}

type LikesChange = { likes: number; adjusted: number; removed: RemovedRow[]; restored: string[] };

async function updateLikeCount(tx: SiteTransaction, id: string, { likes, adjusted, ...readers }: LikesChange): Promise<void> {
  const { likesCount } = await tx.db
    .updateTable("posts")
    .set((eb) => ({ likesCount: eb("likesCount", "+", likes), adjustedLikes: eb("adjustedLikes", "+", adjusted) }))
    .where("id", "=", id)
    .returning("likesCount")
    .executeTakeFirstOrThrow();
  tx.changed("likes.adjusted", { postId: id, count: likesCount, ...readers });
}

async function changeAdjusted(tx: SiteTransaction, id: string, by: number): Promise<void> {
  if (by > 0) await addLikes(tx, id, by);
  if (by < 0) {
    const newest = newestOf("adjusted_likes", "userId", id, -by);
    await tx.db.deleteFrom("adjusted_likes").where("postId", "=", id).where("userId", "in", newest).execute();
  }
}

const rowsAtOnce = 200;

/** Ids as specified (messaging and administration §3). They belong to no member, so these likes have a table of their own. */
async function addLikes(tx: SiteTransaction, postId: string, count: number): Promise<void> {
  const newest = tx.db.selectFrom("adjusted_likes").select((eb) => eb.fn.max<number | null>("createdAt").as("time"));
  const last = await newest.where("postId", "=", postId).executeTakeFirst();
  // Ids contain the time, which must be unique.
  const createdAt = Math.max(tx.now(), (last?.time ?? 0) + 1);
  const rows = Array.from({ length: count }, (_, index) => ({ postId, userId: `${adjustedLikePrefix}${createdAt}_${index}`, createdAt }));
  for (let start = 0; start < count; start += rowsAtOnce)
    await tx.db
      .insertInto("adjusted_likes")
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
}

function newestOf(table: "likes" | "adjusted_likes", column: "id" | "userId", postId: string, count: number): RawBuilder<string> {
  return sql`(select ${sql.ref(column)} from ${sql.table(table)} where "postId" = ${postId}
    order by "createdAt" desc, "userId" desc limit ${count})`;
}

async function removeNewestLikes(tx: SiteTransaction, postId: string, count: number, actionId: string): Promise<RemovedRow[]> {
  const newest = newestOf("likes", "id", postId, count);
  await sql`insert into removed_likes ("actionId", "userId", id, "createdAt", "removedAt")
    select ${actionId}, "userId", id, "createdAt", cast(${tx.now()} as bigint) from likes where "postId" = ${postId} and id in ${newest}`.execute(
    tx.db,
  );
  const removedIds = tx.db.selectFrom("removed_likes").select("id").where("actionId", "=", actionId);
  const ids = (await removedIds.execute()).map(({ id }) => id);
  const removed: RemovedRow[] = [];
  for (let start = 0; start < ids.length; start += rowsAtOnce)
    removed.push(...(await describeRemoved(tx, "likes", ids.slice(start, start + rowsAtOnce))));
  await tx.db.deleteFrom("likes").where("postId", "=", postId).where("id", "in", removedIds).execute();
  return removed;
}

/** @returns the ids. */
async function restoreReactions(tx: SiteTransaction, postId: string, actionId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`insert into likes (id, "postId", "userId", "createdAt")
    select id, ${postId}, "userId", "createdAt" from removed_likes where "actionId" = ${actionId} on conflict do nothing returning id`.execute(
    tx.db,
  );
  await tx.db.deleteFrom("removed_likes").where("actionId", "=", actionId).execute();
  return rows.map((row) => row.id);
}

/** Can be undone for 30 days. @throws Invalid for a fraction, a negative number or more than two billion, NotFound. */
export async function setViews(site: Site, viewer: Viewer, id: string, views: number): Promise<void> {
  requirePermission(viewer, "adjust counts");
  if (!Number.isInteger(views) || views < 0) throw new Invalid(moderationTexts.badViews, "views");
  if (views > maxViews) throw new Invalid(moderationTexts.tooManyViews, "views");
  await transaction(site, async (tx) => {
    const { title, userId, views: before } = await lockPost(tx, id);
    if (before === views) return;
    await tx.db.updateTable("posts").set({ views }).where("id", "=", id).execute();
    await recordModerationAction(tx, viewer, {
      ...{ kind: "views", subject: `post:${id}`, title, memberId: userId, before: { by: views - before } },
      log: { action: "post.views-set", before: { title, views: before }, after: { views } },
    });
    tx.changed("post.changed", { id });
  });
}

/**
 * Undoes an adjustment of likes or views, the latest first. Likes and views by readers since then stay counted.
 * @throws NotFound if the story is gone, Conflict if there is a later adjustment.
 */
export async function restoreCounts(tx: SiteTransaction, { id: actionId, number, kind, subject, before }: ModerationAction): Promise<void> {
  const id = subject.slice("post:".length);
  const post = await lockPost(tx, id, actionTexts.postGone);
  const later = tx.db.selectFrom("moderation_actions").select("id").where("subject", "=", subject).where("number", ">", number);
  if (await later.where("kind", "=", kind).where("undoneAt", "is", null).limit(1).executeTakeFirst())
    throw new Conflict(actionTexts.adjustedLater);
  if (kind === "views") {
    const views = Math.max(0, post.views - Number(before.by));
    await tx.db.updateTable("posts").set({ views }).where("id", "=", id).execute();
    tx.changed("post.changed", { id });
    return;
  }
  const adjusted = -Number(before.adjusted);
  await changeAdjusted(tx, id, adjusted);
  const restored = await restoreReactions(tx, id, actionId);
  await updateLikeCount(tx, id, { likes: adjusted + restored.length, adjusted, removed: [], restored });
}

/** Removes adjustments that can't be undone any more. */
export async function sweepRemovedLikes(site: Site): Promise<void> {
  await site.db
    .deleteFrom("removed_likes")
    .where("removedAt", "<=", site.now() - undoWindowMs)
    .execute();
}
