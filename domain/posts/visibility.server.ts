import { sql } from "kysely";
import { forUpdate } from "#platform/database/locks.ts";
import { minutes } from "#platform/time.ts";
import { describeHidden } from "../documents/live-documents.server.ts";
import { mayReadPost } from "../may-read-post.ts";
import { actionTexts, deletedRetentionMs } from "../moderation/moderation-action.ts";
import {
  type ActionReason,
  findModerationAction,
  type ModerationAction,
  type Moderator,
  recordModerationAction,
} from "../moderation/moderation-actions.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, NotFound } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import type { PostStatus } from "./post.ts";

/** Time in which a writer can correct or unpublish a story before emails announce it. */
export const newPostEmailDelayMs = minutes(5);

/** Every path that makes a post public goes through here. The first time sets its date and queues emails to the author's followers. */
export async function recordPublished(tx: SiteTransaction, id: string, at = tx.now()): Promise<void> {
  const { publishedAt, ...author } = await tx.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select((eb) => ["posts.publishedAt", "posts.userId", eb.fn.coalesce("profiles.userName", "posts.userName").as("userName")])
    .where("posts.id", "=", id)
    .executeTakeFirstOrThrow();
  if (publishedAt === null) {
    await setDate(tx, id, at);
    await tx.db
      .insertInto("story_emails")
      .values({ postId: id, dueAt: at + newPostEmailDelayMs })
      .onConflict((conflict) => conflict.column("postId").doNothing())
      .execute();
  }
  tx.changed("post.published", { id, ...author });
}

/** Search results are ordered by number, so an older draft gets the next one. */
async function setDate({ db, engine }: SiteTransaction, id: string, at: number): Promise<void> {
  const next = engine === "sqlite" ? sql<number>`(select max(number) + 1 from posts)` : sql<number>`nextval('posts_number_seq')`;
  const number = sql<number>`case when number = (select max(number) from posts) then number else ${next} end`;
  await db.updateTable("posts").set({ publishedAt: at, updatedAt: at, number }).where("id", "=", id).execute();
}

/** Every path that hides a public post goes through here. `was`: its status before. */
export async function recordHidden(tx: SiteTransaction, id: string, was: PostStatus): Promise<void> {
  tx.changed("post.hidden", { id, was: was === "active" ? await describeHidden(tx, id) : undefined });
}

/**
 * A held story, or one deleted by staff, is a draft that only staff can publish; `heldBy` names the moderation action. Queries that leave
 * out drafts leave these out too (docs/decisions/0014-moderation.md).
 */
export type Holdable = { id: string; userId: string; title: string; status: "active" | "inactive"; heldBy: string | null };

const logged = { hold: "post.held", delete: "post.deleted" } as const;

export async function hidePost(
  tx: SiteTransaction,
  moderator: Moderator,
  kind: "hold" | "delete",
  { id, userId, title, status, heldBy }: Holdable,
  why: ActionReason,
): Promise<string> {
  const actionId = await recordModerationAction(tx, moderator, {
    ...why,
    ...{ kind, subject: `post:${id}`, title, memberId: userId, before: { status, heldBy } },
    ...(kind === "delete" && { endsAt: tx.now() + deletedRetentionMs }),
    log: { action: logged[kind], before: { title, status } },
  });
  const byRule = "ruleId" in moderator;
  await tx.db
    .updateTable("posts")
    // A rule runs in the transaction of a change that has incremented the version already.
    .set((eb) => ({ heldBy: actionId, status: "inactive", version: eb("version", "+", byRule ? 0 : 1) }))
    .where("id", "=", id)
    .execute();
  await recordHidden(tx, id, status);
  return actionId;
}

/** Hides a story from everyone but its author and staff until staff decide. Idempotent. @throws NotFound. */
export async function holdPost(site: Site, viewer: Viewer, id: string, why: ActionReason): Promise<void> {
  requirePermission(viewer, "moderate stories");
  await transaction(site, async (tx) => {
    const post = await lockPost(tx, id);
    if (post.heldBy === null) await hidePost(tx, viewer, "hold", post, why);
  });
}

export async function isDeleted(tx: Parameters<typeof findModerationAction>[0], heldBy: string | null): Promise<boolean> {
  return heldBy !== null && (await findModerationAction(tx, heldBy))?.kind === "delete";
}

/**
 * Undoes a moderation action on a story. @throws NotFound if the story is gone; Conflict if a later action hides it or the story
 * changed.
 */
export async function revert(
  tx: SiteTransaction,
  viewer: Viewer,
  { id: actionId, subject, kind, before, createdAt }: ModerationAction,
  isAppeal: boolean,
): Promise<void> {
  const id = subject.slice("post:".length);
  const post = await lockPost(tx, id, actionTexts.postGone);
  if (kind === "feature" || kind === "unfeature" || kind === "pin" || kind === "unpin") {
    const { featured, pinned } = before;
    await tx.db
      .updateTable("posts")
      .set(featured === undefined ? { pinned: pinned === true } : { featured })
      .where("id", "=", id)
      .execute();
    tx.changed("post.changed", { id });
    return;
  }
  const holds = kind === "hold" || kind === "delete";
  // The author may have taken it back or be rewriting it. One who appeals wants it published, once somebody has read it.
  if (kind === "unpublish" && post.updatedAt > createdAt && !(isAppeal && mayReadPost(viewer, post)))
    throw new Conflict(isAppeal ? actionTexts.changedUnread : actionTexts.changedLater);
  if (holds ? post.heldBy !== actionId : post.heldBy !== null) throw new Conflict(actionTexts.later);
  await tx.db
    .updateTable("posts")
    .set((eb) => ({ status: before.status ?? "inactive", version: eb("version", "+", 1) }))
    .set(holds ? { heldBy: before.heldBy ?? null } : {})
    .where("id", "=", id)
    .execute();
  if (before.status !== "active") return recordHidden(tx, id, post.status);
  tx.changed("post.changed", { id });
  await recordPublished(tx, id);
}

const own = ["id", "userId", "title", "featuredImage"] as const;
const columns = [...own, "status", "heldBy", "featured", "pinned", "views", "likesCount", "adjustedLikes", "updatedAt"] as const;

/** What moderators change or remove, locked until the transaction ends. @throws NotFound. */
export async function lockPost(tx: SiteTransaction, id: string, goneText?: string) {
  const post = await forUpdate(tx, tx.db.selectFrom("posts").select(columns).where("id", "=", id)).executeTakeFirst();
  if (!post) throw new NotFound(goneText);
  return post;
}
