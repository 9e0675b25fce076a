import { NotFound } from "#domain/refusals.ts";
import type { SiteTransaction } from "#domain/site.ts";
import { forUpdate } from "#platform/database/locks.ts";

const columns = ["id", "userId", "title", "status", "heldBy", "featured", "pinned", "views", "likesCount", "adjustedLikes"] as const;

/** What moderators change of a story, as it is until this transaction ends. @throws NotFound. */
export async function lockPost(tx: SiteTransaction, id: string) {
  const post = await forUpdate(tx, tx.db.selectFrom("posts").select(columns).where("id", "=", id)).executeTakeFirst();
  if (!post) throw new NotFound();
  return post;
}
