import { sql } from "kysely";
import { bestOfDays } from "../counters/counters.server.ts";
import { dayOf } from "../counters/counters.ts";
import type { Site } from "../site.ts";
import { performanceScore, type TopPost } from "./dashboard.ts";

type RankedPost = TopPost & { views: number; bookmarksCount: number };

export async function listTopPosts(site: Site, { since, limit }: { since: number; limit: number }): Promise<RankedPost[]> {
  // Includes tomorrow: a process with a fast clock may have dated a story ahead.
  const ofDays = bestOfDays({ first: since, last: dayOf(site.now()) + 1, by: "performance", column: "performance", each: limit });
  const { rows: best } = await sql<{ number: number }>`
    select number from (${ofDays}) as best order by performance desc, number desc limit ${sql.lit(limit)}`.execute(site.db);
  if (best.length === 0) return [];
  const numbers = best.map(({ number }) => number);
  const rows = await site.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select(["posts.number", "posts.id", "posts.title", "posts.featuredImage", "posts.views", "posts.likesCount", "posts.bookmarksCount"])
    .select((eb) => eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"))
    .where("posts.number", "in", numbers)
    .execute();
  return rows
    .map((post) => ({ ...post, score: performanceScore({ views: post.views, likes: post.likesCount, bookmarks: post.bookmarksCount }) }))
    .sort((a, b) => b.score - a.score || b.number - a.number)
    .map(({ number: _number, ...post }) => post);
}
