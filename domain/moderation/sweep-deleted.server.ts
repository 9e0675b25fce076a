import { sweepRemovedLikes } from "#domain/moderation/posts/adjust-counts.server.ts";
import { handleInBatches } from "#platform/database/batches.ts";
import { erasePost } from "../posts/posts.server.ts";
import { sweepEvidence } from "../reports/evidence.server.ts";
import { type Site, transaction } from "../site.ts";

const postsPerBatch = 50;

export async function sweepDeleted(site: Site): Promise<void> {
  await site.db.deleteFrom("barred_addresses").where("until", "<=", site.now()).execute();
  await sweepRemovedLikes(site);
  await sweepEvidence(site);
  const due = site.db
    .selectFrom("moderation_actions")
    .innerJoin("posts", "posts.heldBy", "moderation_actions.id")
    .select(["posts.id", "posts.title", "posts.featuredImage", "moderation_actions.id as actionId"])
    .where("moderation_actions.kind", "=", "delete")
    .where("moderation_actions.undoneAt", "is", null)
    .where("moderation_actions.endsAt", "<=", site.now());
  await handleInBatches(postsPerBatch, due, (post) => erasePostFully(site, post));
}

type DuePost = { id: string; title: string; featuredImage: string | null; actionId: string };

function erasePostFully(site: Site, post: DuePost): Promise<boolean> {
  return transaction(site, async (tx) => {
    const still = tx.db.selectFrom("posts").select("id").where("id", "=", post.id).where("heldBy", "=", post.actionId);
    const isDue = (await still.executeTakeFirst()) !== undefined;
    if (isDue) await erasePost(tx, null, post);
    return isDue;
  });
}
