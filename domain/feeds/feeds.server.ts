import { createHash } from "node:crypto";
import { sql } from "kysely";
import { kilobyte } from "#platform/bytes.ts";
import { findProfile } from "../profiles/profile-reads.server.ts";
import { NotFound } from "../refusals.ts";
import type { Site } from "../site.ts";
import { type FeedChannel, type FeedPost, rss } from "./rss.ts";

const feedLength = 20;
/** Bytes of the complete texts in a feed, newest first; a story beyond them has its summary only. Writing them takes 0.2 s at most. */
const maxTextBytes = 300 * kilobyte;

export type Feed = {
  version: string;
  modifiedAt: number;
  write(): Promise<string>;
};

export function siteFeed(site: Site): Promise<Feed> {
  const { siteName, siteDescription } = site.settings;
  return feed(site, { title: siteName, description: siteDescription, link: `${site.url}/`, self: `${site.url}/feed.xml` });
}

/** @throws NotFound for an unknown or suspended member: feed readers see what visitors see. */
export async function authorFeed(site: Site, userId: string): Promise<Feed> {
  const { name, bio, suspendedUntil } = await findProfile(site, userId);
  if (suspendedUntil !== null) throw new NotFound();
  const link = `${site.url}/profile/${encodeURIComponent(userId)}`;
  const title = `${name} · ${site.settings.siteName}`;
  return feed(site, { title, description: bio || `Stories by ${name}`, link, self: `${link}/feed.xml` }, userId);
}

async function feed(site: Site, channel: Omit<FeedChannel, "siteUrl" | "posts">, authorId?: string): Promise<Feed> {
  let query = site.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select(["posts.number", "posts.updatedAt", "profiles.userName"])
    .select(sql<number>`octet_length(posts.content)`.as("bytes"))
    .where("posts.status", "=", "active");
  if (authorId) query = query.where("posts.userId", "=", authorId);
  const rows = await query.orderBy("posts.publishedAt", "desc").orderBy("posts.number", "desc").limit(feedLength).execute();
  return {
    version: createHash("sha256")
      .update(JSON.stringify([channel, rows]))
      .digest("base64url")
      .slice(0, 22),
    modifiedAt: Math.max(0, ...rows.map(({ updatedAt }) => updatedAt)),
    write: async () => rss({ ...channel, siteUrl: site.url, posts: await readPosts(site, rows) }),
  };
}

async function readPosts(site: Site, rows: { number: number; bytes: number }[]): Promise<FeedPost[]> {
  if (rows.length === 0) return [];
  const complete = fitting(rows);
  return (
    site.db
      .selectFrom("posts")
      .leftJoin("profiles", "profiles.userId", "posts.userId")
      .select(["posts.id", "posts.title", "posts.summary", "posts.featuredImage", "posts.publishedAt", "posts.updatedAt"])
      .select((eb) => [
        eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"),
        eb.case().when("posts.number", "in", complete).then(eb.ref("posts.content")).else(null).end().as("content"),
      ])
      .where(
        "posts.number",
        "in",
        rows.map(({ number }) => number),
      )
      // It may have become a draft meanwhile.
      .where("posts.status", "=", "active")
      .orderBy("posts.publishedAt", "desc")
      .orderBy("posts.number", "desc")
      .execute()
  );
}

/** Numbers of the stories whose texts fit into `maxTextBytes`. */
function fitting(rows: { number: number; bytes: number }[]): number[] {
  let bytes = 0;
  const complete = rows.filter((row) => {
    if (bytes + row.bytes > maxTextBytes) return false;
    bytes += row.bytes;
    return true;
  });
  // SQL has no empty list.
  return [-1, ...complete.map(({ number }) => number)];
}
