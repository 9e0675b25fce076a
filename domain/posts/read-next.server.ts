import { sql } from "kysely";
import { postCards } from "#domain/search/cards.server.ts";
import { newestMatches, searchTerms } from "#platform/database/search/search.ts";
import { readCached } from "../read-cached.server.ts";
import type { Site } from "../site.ts";
import type { PostCard } from "./post.ts";
import { listLatest } from "./post-reads.server.ts";

const readNextPosts = 3;
const maxByAuthor = 2;
/** Searched words of a title: the longest, as they are the most specific. */
const relatedWords = 4;
const minWordLength = 4;
/** Matches read per word. */
const newestOfEach = 20;

type FinishedPost = Pick<PostCard, "id" | "userId" | "title">;

/** Two by the same author, then stories that share words with the title, then more by the author. */
export function listReadNext(site: Site, finished: FinishedPost): Promise<PostCard[]> {
  return readCached(site, `read-next ${finished.id}`, () => findReadNext(site, finished));
}

async function findReadNext(site: Site, finished: FinishedPost): Promise<PostCard[]> {
  const [latest, related] = await Promise.all([
    listLatest(site, { authorId: finished.userId, limit: readNextPosts + 1 }),
    listRelated(site, finished.title),
  ]);
  const byAuthor = latest.posts.filter(({ id }) => id !== finished.id);
  const inOrder = [...byAuthor.slice(0, maxByAuthor), ...related.filter(({ id }) => id !== finished.id), ...byAuthor.slice(maxByAuthor)];
  return [...new Map(inOrder.map((post) => [post.id, post])).values()].slice(0, readNextPosts);
}

async function listRelated(site: Site, title: string): Promise<PostCard[]> {
  const words = [...new Set(searchTerms(title).flatMap(({ forms }) => forms))]
    .filter((word) => word.length >= minWordLength)
    .sort((a, b) => b.length - a.length)
    .slice(0, relatedWords);
  if (words.length === 0) return [];
  const scans = words.map((word) => {
    const newest = newestMatches(site.engine, [{ forms: [word], isPrefix: false }], { limit: newestOfEach });
    return sql`select * from (${newest}) as scan`;
  });
  const shared = sql<{ number: number; hits: number }>`(select number, count(*) as hits from (${sql.join(scans, sql` union all `)}) as found
    group by number order by hits desc, number desc limit ${readNextPosts * 2 + 1})`;
  const rows = await postCards(site)
    .innerJoin(shared.as("shared"), "shared.number", "posts.number")
    .where("posts.status", "=", "active")
    .orderBy("shared.hits", "desc")
    .orderBy("posts.number", "desc")
    .execute();
  return rows.map(({ number: _number, ...post }) => post);
}
