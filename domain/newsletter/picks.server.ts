import { sql } from "kysely";
import { days } from "#platform/time.ts";
import { bestOfDays } from "../counters/counters.server.ts";
import { dayOf } from "../counters/counters.ts";
import type { Site, SiteTransaction } from "../site.ts";

export type PickedPost = { id: string; title: string; userName: string; summary: string; words: number };
export type PickedPosts = { mostRead: PickedPost[]; featured: PickedPost[] };

const windowDays = 7;
const mostReadCount = 5;
const featuredCount = 3;

export async function pickPosts({ db, now }: Site | SiteTransaction): Promise<PickedPosts> {
  const since = now() - days(windowDays);
  const first = dayOf(since);
  const ofDays = bestOfDays({ first, last: first + windowDays, by: "score", column: "views", each: mostReadCount, since });
  const { rows } = await sql<{ number: number }>`select number from (${ofDays}) as best
    order by views desc, number desc limit ${sql.lit(mostReadCount)}`.execute(db);
  const posts = db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select(["posts.number", "posts.id", "posts.title", "posts.summary", "posts.words", "posts.views"])
    .select((eb) => eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"))
    .where("posts.status", "=", "active")
    .where("posts.publishedAt", ">=", since);
  const numbers = rows.map(({ number }) => number);
  const mostRead = numbers.length === 0 ? [] : await posts.where("posts.number", "in", numbers).orderBy("posts.views", "desc").execute();
  const featured = await posts
    .where("posts.featured", "=", sql<boolean>`true`)
    .orderBy("posts.publishedAt", "desc")
    .limit(mostReadCount + featuredCount)
    .execute();
  const known = new Set(mostRead.map(({ id }) => id));
  return { mostRead, featured: featured.filter(({ id }) => !known.has(id)).slice(0, featuredCount) };
}
