import { createHmac } from "node:crypto";
import type { Origin } from "#domain/accounts/sign-in/auth.server.ts";
import { networkOf } from "#domain/limits/attempts.server.ts";
import { forKeyShare } from "#platform/database/locks.ts";
import { minutes } from "#platform/time.ts";
import { countForDay } from "../counters/counters.server.ts";
import { may } from "../permissions.ts";
import { type Site, transaction, type Viewer } from "../site.ts";

/** Milliseconds in which one viewer counts once (specification §9, View counting). */
export const viewWindowMs = minutes(30);

/**
 * Counts a view of a published story, at most once per viewer in half an hour, whatever the browser claims to be. Visitors of one network
 * address are one viewer (§9, View counting). @returns whether it was counted.
 */
export async function countView(site: Site, viewer: Viewer, origin: Origin, postId: string): Promise<boolean> {
  return transaction(site, async (tx) => {
    const read = tx.db.selectFrom("posts").select(["status", "userId"]).where("id", "=", postId);
    const post = await forKeyShare(tx, read).executeTakeFirst();
    if (post?.status !== "active" || !may(viewer, "read a published story", post.userId)) return false;
    const now = tx.now();
    const counted = await tx.db
      .insertInto("views")
      .values({ postId, viewerKey: viewerKey(site, viewer, origin), endsAt: now + viewWindowMs })
      .onConflict((conflict) =>
        conflict
          .columns(["postId", "viewerKey"])
          .doUpdateSet({ endsAt: now + viewWindowMs })
          .where("views.endsAt", "<=", now),
      )
      .executeTakeFirstOrThrow();
    if (!counted.numInsertedOrUpdatedRows) return false;
    await tx.db
      .updateTable("posts")
      .set((eb) => ({ views: eb("views", "+", 1) }))
      .where("id", "=", postId)
      .execute();
    await countForDay(tx, "views");
    return true;
  });
}

/** Forgets who opened a story longer ago than counts. */
export async function sweepViews({ db, now }: Site): Promise<void> {
  await db.deleteFrom("views").where("endsAt", "<", now()).execute();
}

/** Distinguishes visitors without storing their address. */
function viewerKey(site: Site, viewer: Viewer, { address }: Origin): string {
  return viewer ? viewer.id : createHmac("sha256", site.secret).update(networkOf(address)).digest("base64url");
}
