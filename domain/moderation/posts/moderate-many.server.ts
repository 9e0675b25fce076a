import type { ActionReason } from "#domain/moderation/moderation-actions.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { deletePost, eraseDeleted } from "#domain/posts/posts.server.ts";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { Invalid, isRefusal } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { isOutage } from "#platform/database/errors.ts";
import { newId } from "#platform/ids.ts";
import { holdPost } from "../../posts/visibility.server.ts";
import { findForAdmin } from "./admin-list.server.ts";
import { curatePost } from "./moderation.server.ts";
import { type BulkResult, bulkModerations, invalidOperation, type Moderation, maxBulkPosts, releaseRequiredText } from "./moderation.ts";

/** `release`: ids of hidden stories that publishing may release; undefined for all. */
type BulkOptions = ActionReason & { release?: readonly string[] | undefined };

type Verb = (site: Site, viewer: Viewer, id: string, why: ActionReason) => Promise<unknown>;

const verbs: Record<Moderation, Verb> = {
  publish: (site, viewer, id, why) => setPostStatus(site, viewer, id, "active", why),
  unpublish: (site, viewer, id, why) => setPostStatus(site, viewer, id, "inactive", why),
  feature: (site, viewer, id, why) => curatePost(site, viewer, id, { featured: true }, why),
  unfeature: (site, viewer, id, why) => curatePost(site, viewer, id, { featured: false }, why),
  pin: (site, viewer, id, why) => curatePost(site, viewer, id, { pinned: true }, why),
  unpin: (site, viewer, id, why) => curatePost(site, viewer, id, { pinned: false }, why),
  hold: holdPost,
  delete: deletePost,
  erase: eraseDeleted,
};

/** @throws as the verb of the action; NotFound for a draft that the viewer may not read; Invalid for an unconfirmed release. */
export async function moderatePost(
  site: Site,
  viewer: Viewer,
  id: string,
  action: Moderation,
  { release, ...why }: BulkOptions = {},
): Promise<void> {
  const { held, title } = await findForAdmin(site, viewer, id);
  if (action === "publish" && held !== null && release && !release.includes(id)) throw new Invalid(releaseRequiredText(title));
  await verbs[action](site, viewer, id, why);
}

/**
 * One transaction for each story: failures don't affect the others. All can be undone together (domain/moderation/undo.server.ts).
 * @throws Invalid beyond 100 at a time.
 */
export async function moderatePosts(
  site: Site,
  viewer: Viewer,
  ids: string[],
  action: string,
  reason = "",
  release?: readonly string[],
): Promise<BulkResult> {
  requirePermission(viewer, "moderate stories");
  const chosen = [...new Set(ids)];
  if (chosen.length > maxBulkPosts) throw new Invalid(`Select up to ${maxBulkPosts} stories at a time`);
  const batch = { reason, release, batchId: newId(site.now()) };
  const result: BulkResult = { successful: 0, failed: 0, batchId: batch.batchId, errors: [] };
  for (const id of chosen) {
    const message = await tryOne(site, viewer, id, action, batch);
    if (message === undefined) result.successful++;
    else {
      result.failed++;
      result.errors.push({ id, message });
    }
  }
  return result;
}

/** @returns the error; undefined if it succeeded. */
async function tryOne(site: Site, viewer: Viewer, id: string, action: string, how: BulkOptions): Promise<string | undefined> {
  if (!bulkModerations.includes(action)) return invalidOperation;
  try {
    await moderatePost(site, viewer, id, action as Moderation, how);
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error.message;
    site.log.error({ err: error, id, action }, "a story could not be moderated");
    return isOutage(error) ? "We’re having trouble loading data" : "Something went wrong";
  }
}
