import { sql } from "kysely";
import { minutes } from "#platform/time.ts";
import { describeHidden } from "../documents/live-documents.server.ts";
import type { SiteTransaction } from "../site.ts";
import type { PostStatus } from "./post.ts";

/** Milliseconds in which its writer may still mend a story, or take it back, before emails tell of it. */
export const storyEmailDelayMs = minutes(5);

/** Whatever shows a post to everybody ends here: the first time dates it, and those who follow its author are told. */
export async function published(tx: SiteTransaction, id: string, at = tx.now()): Promise<void> {
  const { publishedAt, ...author } = await tx.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select((eb) => ["posts.publishedAt", "posts.userId", eb.fn.coalesce("profiles.userName", "posts.userName").as("userName")])
    .where("posts.id", "=", id)
    .executeTakeFirstOrThrow();
  if (publishedAt === null) {
    await setDate(tx, id, at);
    await tx.db
      .insertInto("story_emails")
      .values({ postId: id, dueAt: at + storyEmailDelayMs })
      .onConflict((conflict) => conflict.column("postId").doNothing())
      .execute();
  }
  tx.changed("post.published", { id, ...author });
}

/** Searches find the newest by its number: one that was a draft meanwhile gets the next. */
async function setDate({ db, engine }: SiteTransaction, id: string, at: number): Promise<void> {
  const next = engine === "sqlite" ? sql<number>`(select max(number) + 1 from posts)` : sql<number>`nextval('posts_number_seq')`;
  const number = sql<number>`case when number = (select max(number) from posts) then number else ${next} end`;
  await db.updateTable("posts").set({ publishedAt: at, updatedAt: at, number }).where("id", "=", id).execute();
}

/** Whatever takes a post out of everybody's sight ends here; `was` is its status before. */
export async function hidden(tx: SiteTransaction, id: string, was: PostStatus): Promise<void> {
  tx.changed("post.hidden", { id, was: was === "active" ? await describeHidden(tx, id) : undefined });
}
