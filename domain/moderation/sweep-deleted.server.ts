import { sweepRemovedLikes } from "#domain/moderation/posts/post-counts.server.ts";
import { erasePost } from "../posts/posts.server.ts";
import { sweepEvidence } from "../reports/evidence.server.ts";
import { type Site, transaction } from "../site.ts";

const postsPerBatch = 50;

export async function sweepDeleted(site: Site): Promise<void> {
  await site.db.deleteFrom("barred_addresses").where("until", "<=", site.now()).execute();
  await sweepRemovedLikes(site);
  await sweepEvidence(site);
  for (;;) {
    const due = await site.db
      .selectFrom("moderation_actions")
      .innerJoin("posts", "posts.heldBy", "moderation_actions.id")
      .select(["posts.id", "posts.title", "posts.featuredImage", "moderation_actions.id as actionId"])
      .where("moderation_actions.kind", "=", "delete")
      .where("moderation_actions.undoneAt", "is", null)
      .where("moderation_actions.endsAt", "<=", site.now())
      .limit(postsPerBatch)
      .execute();
    if (due.length === 0) return;
    for (const post of due) await erasePostFully(site, post);
  }
}

type DuePost = { id: string; title: string; featuredImage: string | null; actionId: string };

async function erasePostFully(site: Site, post: DuePost): Promise<void> {
  await transaction(site, async (tx) => {
    const still = tx.db.selectFrom("posts").select("id").where("id", "=", post.id).where("heldBy", "=", post.actionId);
    if (await still.executeTakeFirst()) await erasePost(tx, null, post);
  });
}
