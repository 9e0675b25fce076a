import { type ActionReason, findModerationAction } from "#domain/moderation/moderation-actions.server.ts";
import { mustBeAllowed } from "#domain/permissions.ts";
import { type Site, transaction, type Viewer } from "#domain/site.ts";
import { hidePost } from "./holding.server.ts";
import { lockPost } from "./locked-post.server.ts";

/**
 * Takes a story out of sight until an administrator decides: its author and administrators still see it, and only an administrator
 * publishes it again. Holding it twice is holding it once. @throws NotFound.
 */
export async function holdPost(site: Site, viewer: Viewer, id: string, why: ActionReason): Promise<void> {
  mustBeAllowed(viewer, "moderate stories");
  await transaction(site, async (tx) => {
    const post = await lockPost(tx, id);
    if (post.heldBy === null) await hidePost(tx, viewer, "hold", post, why);
  });
}

export async function isDeleted(tx: Parameters<typeof findModerationAction>[0], heldBy: string | null): Promise<boolean> {
  return heldBy !== null && (await findModerationAction(tx, heldBy))?.kind === "delete";
}
