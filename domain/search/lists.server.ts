import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { bestOfDays } from "#domain/counters/counters.server.ts";
import { dayOf } from "#domain/counters/counters.ts";
import type { PostCard } from "#domain/posts/post.ts";
import type { Site } from "#domain/site.ts";
import { cutPage, isBeyond, readCursor } from "#platform/database/keyset.ts";
import {
  highestRelevance,
  newestMatches,
  newestTitleMatches,
  numbersQuery,
  relevance,
  type SearchTerm,
  searchTerms,
  titleOrAuthorMatches,
} from "#platform/database/search/search.ts";
import { withSimilarWords } from "#platform/database/search/typos.ts";
import { days } from "#platform/time.ts";
import { type NumberedCard, postCards } from "./cards.server.ts";
import { type ListSort, maxCountedMatches, type PostSort } from "./post-sorts.ts";

/** `next`: the cursor of the next page, null on the last one. */
export type PostListPage = { posts: PostCard[]; next: string | null };

export type Paging = { limit: number; after?: string | null | undefined };

type Order = { key: RawBuilder<unknown>; number: RawBuilder<unknown>; keyType: "number" | "text"; direction: "asc" | "desc" };

const postNumber = sql.ref("posts.number");
const rankingNumber = sql.ref("rankings.number");

const orders: Record<PostSort, Order> = {
  newest: { key: sql.ref("posts.publishedAt"), number: postNumber, keyType: "number", direction: "desc" },
  oldest: { key: sql.ref("posts.publishedAt"), number: postNumber, keyType: "number", direction: "asc" },
  title: { key: sql.ref("posts.searchTitle"), number: postNumber, keyType: "text", direction: "asc" },
  author: { key: sql.ref("posts.searchAuthor"), number: postNumber, keyType: "text", direction: "asc" },
  trending: { key: sql.ref("rankings.score"), number: rankingNumber, keyType: "number", direction: "desc" },
  views: { key: sql.ref("rankings.views"), number: rankingNumber, keyType: "number", direction: "desc" },
  likes: { key: sql.ref("rankings.likes"), number: rankingNumber, keyType: "number", direction: "desc" },
};

export function listPosts(site: Site, { sort, ...paging }: Paging & { sort: PostSort }): Promise<PostListPage> {
  const order = orders[sort];
  if (order.number === postNumber) return page(postCards(site).where("posts.status", "=", "active"), order, paging);
  return page(postCards(site).innerJoin("rankings", "rankings.number", "posts.number"), order, paging);
}

const week = 7;

/** Stories of the last seven days by views + 2 x likes (specification §9). */
export async function listTrending(site: Site, { search = "", ...paging }: Paging & { search?: string }): Promise<PostListPage> {
  const since = site.now() - days(week);
  const found = search ? await listSearchResults(site, { text: search, sort: "trending", since, ...paging }) : undefined;
  return found ?? listRecent(site, since, paging);
}

function listRecent(site: Site, since: number, paging: Paging): Promise<PostListPage> {
  const order: Order = { key: sql.ref("recent.score"), number: sql.ref("recent.number"), keyType: "number", direction: "desc" };
  const first = dayOf(since);
  const before = readPosition(order, paging.after);
  // The best of the week are among the best of each day.
  const best = bestOfDays({ first, last: first + week, by: "score", column: "score", each: paging.limit + 1, since, before });
  const recent = sql<{ number: number; score: number }>`(${best})`;
  return page(postCards(site).innerJoin(recent.as("recent"), "recent.number", "posts.number"), order, paging);
}

type Search = Paging & {
  text: string;
  sort: ListSort;
  /** Milliseconds. */
  since?: number | undefined;
};

/** `matches` are counted up to `maxCountedMatches`. */
export type FoundPage = PostListPage & { matches: number };

/** Newest matches of each kind that are ranked (platform/database/search/search.ts, candidates). */
export const maxRankedPerKind = 50;

/**
 * `best`: a word counts most in the title, less in the author's name, least in the text; equal matches are newest first. If nothing matches,
 * typos are corrected. Undefined without a word to search for.
 */
export async function listSearchResults(site: Site, { text, sort, since, ...paging }: Search): Promise<FoundPage | undefined> {
  const typed = searchTerms(text);
  if (typed.length === 0) return undefined;
  const { terms, numbers } = await findTerms(site, typed);
  const matches = numbers.length;
  if (matches === 0) return { posts: [], next: null, matches };
  const order = orderOfResults(site, sort, terms);
  const among = await readMatches(site, sort, { terms, numbers }, order, paging);
  const found = postCards(site).where(sql<SqlBool>`posts.number in (select number from (${among}) as found)`);
  return { ...(await page(since === undefined ? found : found.where("posts.publishedAt", ">=", since), order, paging)), matches };
}

/** Sorts by number for an order by date: the index has that order, and stories get numbers when they are published. */
function orderOfResults(site: Site, sort: ListSort, terms: SearchTerm[]): Order {
  const [number, direction] = [postNumber, "desc"] as const;
  const keys = { views: sql.ref("posts.views"), likes: sql.ref("posts.likesCount"), trending: sql`(posts.views + 2 * posts."likesCount")` };
  if (sort === "newest" || sort === "oldest") return { key: number, number, keyType: "number", direction: orders[sort].direction };
  if (sort === "best") return { key: sql`(${relevance(site.engine, terms)})`, number, keyType: "number", direction };
  return sort === "title" || sort === "author" ? orders[sort] : { key: keys[sort], number, keyType: "number", direction };
}

/** `numbers`: the newest matches, up to `maxCountedMatches`. */
type SearchMatches = { terms: SearchTerm[]; numbers: number[] };

async function readMatches(site: Site, sort: ListSort, { terms, numbers }: SearchMatches, order: Order, { limit, after }: Paging) {
  const { engine } = site;
  const from = readPosition(order, after);
  if (sort === "newest" || sort === "oldest")
    return newestMatches(engine, terms, { limit: limit + 1, after: from?.number, oldestFirst: sort === "oldest" });
  if (sort !== "best" || numbers.length < maxCountedMatches) return numbersQuery(engine, numbers);
  const best = await findBest(site, terms, limit + 1, from);
  if (best.length > limit) return numbersQuery(engine, best);
  const others = numbersQuery(engine, [...numbers.slice(0, maxRankedPerKind), ...best]);
  return sql<{ number: number }>`${others} union ${titleOrAuthorMatches(engine, terms, maxRankedPerKind)}`;
}

export async function findBest({ db, engine }: Site, terms: SearchTerm[], limit: number, from?: SortPosition): Promise<number[]> {
  const highest = highestRelevance(terms);
  if (from && Number(from.key) < highest) return [];
  const { rows } = await newestTitleMatches(engine, terms, { limit, after: from?.key === highest ? from.number : undefined }).execute(db);
  return rows.map(({ number }) => number);
}

async function findTerms(site: Site, typed: SearchTerm[]): Promise<SearchMatches> {
  const numbers = await findMatches(site, typed);
  const corrected = numbers.length > 0 ? undefined : await withSimilarWords(site.db, site.engine, typed);
  return corrected ? { terms: corrected, numbers: await findMatches(site, corrected) } : { terms: typed, numbers };
}

async function findMatches({ db, engine }: Site, terms: SearchTerm[]): Promise<number[]> {
  const { rows } = await newestMatches(engine, terms, { limit: maxCountedMatches }).execute(db);
  return rows.map(({ number }) => number);
}

/** Newest first, cut by date and number: with an offset, later pages would cost more. */
export function newestCards<Db, From extends keyof Db>(
  query: SelectQueryBuilder<Db, From, NumberedCard>,
  paging: Paging,
): Promise<PostListPage> {
  return page(query, orders.newest, paging);
}

async function page<Db, From extends keyof Db>(
  query: SelectQueryBuilder<Db, From, NumberedCard>,
  order: Order,
  { limit, after }: Paging,
): Promise<PostListPage> {
  const { key, number } = order;
  const direction = sql.raw(order.direction);
  const from = readPosition(order, after);
  const onwards = from ? query.where(isBeyond([key, number], [from.key, from.number], order.direction)) : query;
  const rows = (await onwards
    .select(sql<number | string>`${key}`.as("sortKey"))
    .orderBy(sql`${key} ${direction}`)
    .orderBy(sql`${number} ${direction}`)
    .limit(limit + 1)
    .execute()) as unknown as (NumberedCard & { sortKey: number | string })[];
  const { rows: shown, next } = cutPage(rows, limit, (row) => [row.sortKey, row.number]);
  return { posts: shown.map(({ number: _number, sortKey: _sortKey, ...card }) => card), next };
}

type SortPosition = { key: number | string; number: number };

function readPosition({ keyType }: Order, cursor: string | null | undefined): SortPosition | undefined {
  const [key, number] = readCursor(cursor, [keyType, "number"]) ?? [];
  return key === undefined || number === undefined ? undefined : { key, number };
}

/** Date and number. */
export function readNewestCursor(cursor: string | null | undefined): readonly [publishedAt: number, number: number] | undefined {
  return readCursor(cursor, ["number", "number"]);
}

/** `rows`: one more than the page holds. */
export function newestPage(rows: NumberedCard[], limit: number): PostListPage {
  const { rows: shown, next } = cutPage(rows, limit, ({ publishedAt, number }) => [publishedAt ?? 0, number]);
  return { posts: shown.map(({ number: _number, ...card }) => card), next };
}
