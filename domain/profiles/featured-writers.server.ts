import { sql } from "kysely";
import { days } from "#platform/time.ts";
import { bestOfDays } from "../counters/counters.server.ts";
import { dayOf } from "../counters/counters.ts";
import type { Site } from "../site.ts";

export type FeaturedWriter = {
  id: string;
  name: string;
  bio: string;
  profileImage: string | null;
  posts: number;
  views: number;
};

const windowDays = 30;
const postsOfDay = 5;
const maxCandidates = 40;

/** The last 30 days' most-read writers, chosen from the authors of each day's best stories: adding up all writers would be slow. */
export async function listFeaturedWriters(site: Site, limit: number): Promise<FeaturedWriter[]> {
  const since = site.now() - days(windowDays);
  const writers = await findCandidates(site, dayOf(since));
  if (writers.length === 0) return [];
  const rows = await site.db
    .selectFrom("posts")
    .innerJoin("users as u", "u.id", "posts.userId")
    .leftJoin("profiles as p", "p.userId", "posts.userId")
    .leftJoin("suspensions as s", (join) => join.onRef("s.userId", "=", "posts.userId").on("s.until", ">", site.now()))
    .select((eb) => [
      "posts.userId as id",
      eb.fn.coalesce("p.userName", "u.name").as("name"),
      "p.bio",
      "p.profileImage",
      eb.fn.countAll<number>().as("posts"),
      eb.fn.sum<number>("posts.views").as("views"),
    ])
    .where("posts.userId", "in", writers)
    .where("s.userId", "is", null)
    .where("posts.status", "=", "active")
    .where("posts.publishedAt", ">=", since)
    .groupBy(["posts.userId", "p.userName", "u.name", "p.bio", "p.profileImage"])
    .orderBy("views", "desc")
    .orderBy("posts", "desc")
    .orderBy("posts.userId")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, bio: row.bio ?? "", views: Number(row.views) }));
}

async function findCandidates({ db }: Site, first: number): Promise<string[]> {
  const best = bestOfDays({ first, last: first + windowDays, by: "score", column: "views", each: postsOfDay });
  const { rows } = await sql<{ userId: string }>`
    select p."userId" from (${best}) as recent join posts p on p.number = recent.number
    group by p."userId" order by sum(recent.views) desc limit ${sql.lit(maxCandidates)}`.execute(db);
  return rows.map(({ userId }) => userId);
}
