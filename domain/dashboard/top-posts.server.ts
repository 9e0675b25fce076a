import { sql } from "kysely";
import { dayOf } from "../counters/counters.ts";
import type { Site } from "../site.ts";
import { performanceScore, type TopPost } from "./dashboard.ts";

type RankedPost = TopPost & { views: number; bookmarksCount: number };

export async function listTopPosts(site: Site, { since, limit }: { since: number; limit: number }): Promise<RankedPost[]> {
  // Includes tomorrow: a process with a fast clock may have dated a story ahead.
  const days = Array.from({ length: dayOf(site.now()) - since + 2 }, (_, index) => since + index);
  const ofEachDay = days.map(
    (day) => sql`select * from (
      select number, performance from rankings where day = ${sql.lit(day)} order by performance desc, number desc limit ${sql.lit(limit)}) as best`,
  );
  const { rows: best } = await sql<{ number: number }>`
    select number from (${sql.join(ofEachDay, sql` union all `)}) as best order by performance desc, number desc limit ${sql.lit(limit)}`.execute(
    site.db,
  );
  if (best.length === 0) return [];
  const rows = await site.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select(["posts.number", "posts.id", "posts.title", "posts.featuredImage", "posts.views", "posts.likesCount", "posts.bookmarksCount"])
    .select((eb) => eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"))
    .where(
      "posts.number",
      "in",
      best.map(({ number }) => number),
    )
    .execute();
  return rows
    .map((post) => ({ ...post, score: performanceScore({ views: post.views, likes: post.likesCount, bookmarks: post.bookmarksCount }) }))
    .sort((a, b) => b.score - a.score || b.number - a.number)
    .map(({ number: _number, ...post }) => post);
}
