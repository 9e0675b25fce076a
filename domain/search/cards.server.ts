import { sql } from "kysely";
import type { PostCard } from "#domain/posts/post.ts";
import type { Site } from "#domain/site.ts";

export type NumberedCard = PostCard & { number: number };

/** Two indexes are in this order. */
export const createdAt = sql<number>`coalesce(posts."createdAt", posts."publishedAt")`;

/** Lists show 200 characters; two more show where the last word ends and whether the text continues. */
const shownLength = 202;
const summary = sql<string>`substr(posts.summary, 1, ${sql.lit(shownLength)})`.as("summary");
/** The text is only read if it has no summary. */
const textless = sql<0 | 1>`case when posts.summary = '' and posts.content <> '' then 1 else 0 end`.as("textless");

export function postCards({ db }: Pick<Site, "db">) {
  return db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select(["posts.number", "posts.id", "posts.title", "posts.words", "posts.featuredImage", "posts.userId", summary])
    .select(["posts.status", "posts.featured", "posts.pinned", "posts.views", "posts.likesCount", "posts.publishedAt", "posts.updatedAt"])
    .select((eb) => ["profiles.profileImage", eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"), textless]);
}
