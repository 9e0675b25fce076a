import { discardFile } from "../files/files.server.ts";
import { sweepRemovedLikes } from "../posts/figures.server.ts";
import { erasePost } from "../posts/posts.server.ts";
import { sweepEvidence } from "../reports/evidence.server.ts";
import { type Site, transaction } from "../site.ts";

const atOnce = 50;

/** Removes for good what administrators deleted or took away 30 days ago, suspensions that have ended, and copies of reported messages whose time is over. Call it now and then. */
export async function sweepDeleted(site: Site): Promise<void> {
  for (const table of ["suspensions", "barred_addresses"] as const)
    await site.db.deleteFrom(table).where("until", "<=", site.now()).execute();
  await sweepRemovedLikes(site);
  await sweepEvidence(site);
  for (;;) {
    const due = await site.db
      .selectFrom("acts")
      .innerJoin("posts", "posts.heldBy", "acts.id")
      .select(["posts.id", "posts.featuredImage", "acts.id as actId"])
      .where("acts.kind", "=", "delete")
      .where("acts.undoneAt", "is", null)
      .where("acts.endsAt", "<=", site.now())
      .limit(atOnce)
      .execute();
    if (due.length === 0) return;
    for (const post of due) await erase(site, post);
  }
}

async function erase(site: Site, post: { id: string; featuredImage: string | null; actId: string }): Promise<void> {
  const released = await transaction(site, async (tx) => {
    const still = tx.db.selectFrom("posts").select("id").where("id", "=", post.id).where("heldBy", "=", post.actId);
    return (await still.executeTakeFirst()) ? erasePost(tx, null, post) : [];
  });
  for (const file of new Set(released)) await discardFile(site, file);
}
