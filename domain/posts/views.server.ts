import { createHmac } from "node:crypto";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { networkOf } from "#domain/limits/rate-limits.server.ts";
import { forKeyShare } from "#platform/database/locks.ts";
import { minutes } from "#platform/time.ts";
import { countForDay } from "../counters/counters.server.ts";
import { may } from "../permissions.ts";
import { type Site, transaction, type Viewer } from "../site.ts";

/** One view per viewer is counted in this time (specification §9, View counting). */
export const viewWindowMs = minutes(30);

/** Counts a view once per viewer and half an hour. Visitors of one network are one viewer. @returns whether it was counted. */
export async function countView(site: Site, viewer: Viewer, client: ClientInfo, postId: string): Promise<boolean> {
  return transaction(site, async (tx) => {
    const read = tx.db.selectFrom("posts").select(["status", "userId"]).where("id", "=", postId);
    const post = await forKeyShare(tx, read).executeTakeFirst();
    if (post?.status !== "active" || !may(viewer, "read a published story", post.userId)) return false;
    const now = tx.now();
    const counted = await tx.db
      .insertInto("views")
      .values({ postId, viewerKey: viewerKey(site, viewer, client), endsAt: now + viewWindowMs })
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

export async function sweepViews({ db, now }: Site): Promise<void> {
  await db.deleteFrom("views").where("endsAt", "<", now()).execute();
}

/** A visitor's address is hashed, not stored. */
function viewerKey(site: Site, viewer: Viewer, { ip }: ClientInfo): string {
  return viewer ? viewer.id : createHmac("sha256", site.secret).update(networkOf(ip)).digest("base64url");
}
