import { type SqlBool, sql } from "kysely";
import type { Site } from "#domain/site.ts";
import { numbersQuery, rankingCandidates, relevance, type SearchTerm, searchTerms } from "#platform/database/search/search.ts";
import { searchWords } from "#platform/database/search/search-words.ts";
import { withSimilarWords } from "#platform/database/search/typos.ts";
import { highlight, snippet, type WordMatcher } from "./highlight.ts";
import { findBest, maxRankedPerKind } from "./lists.server.ts";
import { type FoundPost, quickSearchMaxResults, quickSearchMinLength, searchMaxLength } from "./quick-search.ts";

/** Characters of a story that are searched for its excerpt. */
const maxSearchedCharacters = 20_000;
const excerptLength = 110;

export async function quickSearch(site: Site, text: string): Promise<FoundPost[]> {
  const terms = [...text.trim()].length >= quickSearchMinLength ? searchTerms(text.slice(0, searchMaxLength)) : [];
  if (terms.length === 0) return [];
  const found = await findPosts(site, terms);
  if (found.length > 0) return found;
  const corrected = await withSimilarWords(site.db, site.engine, terms);
  return corrected ? findPosts(site, corrected) : [];
}

async function findPosts(site: Site, terms: SearchTerm[]): Promise<FoundPost[]> {
  const numbers = await findBest(site, terms, quickSearchMaxResults);
  const best = numbersQuery(site.engine, numbers);
  const isFull = numbers.length === quickSearchMaxResults;
  const among = isFull ? best : sql`${best} union ${rankingCandidates(site.engine, terms, maxRankedPerKind)}`;
  const rows = await site.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select(["posts.id", "posts.title", "posts.featuredImage"])
    .select((eb) => eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"))
    .select(sql<string>`substr(posts."plainText", 1, ${sql.lit(maxSearchedCharacters)})`.as("text"))
    .where(sql<SqlBool>`posts.number in (select number from (${among}) as found)`)
    .orderBy(relevance(site.engine, terms), "desc")
    .orderBy("posts.number", "desc")
    .limit(quickSearchMaxResults)
    .execute();
  const isHit = hitsOf(terms);
  return rows.map(({ id, title, featuredImage, userName, text }) => ({
    id,
    featuredImage,
    title: highlight(title, isHit),
    author: highlight(userName, isHit),
    excerpt: highlight(snippet(text, isHit, excerptLength), isHit),
  }));
}

function hitsOf(terms: SearchTerm[]): WordMatcher {
  const exact = new Set(terms.flatMap(({ forms }) => forms));
  const beginnings = terms.filter(({ isPrefix }) => isPrefix).map(({ forms: [typed = ""] }) => typed);
  return (word) => searchWords(word).some((plain) => exact.has(plain) || beginnings.some((beginning) => plain.startsWith(beginning)));
}
