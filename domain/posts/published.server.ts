import type { SiteTransaction } from "../site.ts";

export async function published(tx: SiteTransaction, id: string): Promise<void> {
  const post = await tx.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select((eb) => ["posts.userId", eb.fn.coalesce("profiles.userName", "posts.userName").as("userName")])
    .where("posts.id", "=", id)
    .executeTakeFirstOrThrow();
  tx.changed("post.published", { id, ...post });
}
