import { mayReadPost, type PostAccess } from "./may-read-post.ts";
import { undoWindowMs } from "./moderation/moderation-action.ts";
import { may } from "./permissions.ts";
import type { Site, SiteTransaction, Viewer } from "./site.ts";

export type ReadablePost = PostAccess & { id: string; updatedAt: number };

/**
 * Moderators also read a story that staff unpublished, while that can be undone and its author hasn't changed it: they undo it and answer
 * an appeal (docs/decisions/0013-staff.md).
 */
export async function readablePosts<Post extends ReadablePost>(site: Site | SiteTransaction, viewer: Viewer, posts: Post[]) {
  const drafts = posts.filter((post) => !mayReadPost(viewer, post));
  const unpublished = drafts.length > 0 && may(viewer, "read a held story") ? await findUnpublished(site, drafts) : [];
  const isUnchanged = (post: Post) => unpublished.some(({ id, createdAt }) => id === post.id && createdAt >= post.updatedAt);
  return posts.filter((post) => !drafts.includes(post) || isUnchanged(post));
}

async function findUnpublished({ db, now }: Site | SiteTransaction, posts: { id: string }[]) {
  const subjects = posts.map(({ id }) => `post:${id}`);
  const rows = await db
    .selectFrom("moderation_actions")
    .select(["subject", "createdAt"])
    .where("subject", "in", subjects)
    .where("kind", "=", "unpublish")
    .where("undoneAt", "is", null)
    .where("createdAt", ">", now() - undoWindowMs)
    .execute();
  return rows.map(({ subject, createdAt }) => ({ id: subject.slice("post:".length), createdAt }));
}

export async function isReadable(site: Site | SiteTransaction, viewer: Viewer, post: ReadablePost): Promise<boolean> {
  return (await readablePosts(site, viewer, [post])).length > 0;
}
