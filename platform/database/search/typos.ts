import { sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import type { Database, DatabaseTransaction } from "#platform/database/open.ts";
import type { SearchTerm } from "./search.ts";
import { distance, variants } from "./search-words.ts";

const minTypoLength = 4;
const shortestTwice = 2 * minTypoLength;
const similarAsked = 1_000;
const similarUsed = 5;

/** Adds similar words of titles and names to each term. Undefined if there are none. */
export async function withSimilarWords(db: Database, engine: Engine, terms: SearchTerm[]): Promise<SearchTerm[] | undefined> {
  const similar = await Promise.all(terms.map(({ forms: [word = ""] }) => similarWords(db, engine, word)));
  if (similar.every((words) => words.length === 0)) return undefined;
  return terms.map((term, index) => ({ ...term, forms: [...term.forms, ...(similar[index] ?? [])] }));
}

async function similarWords(db: Database, engine: Engine, word: string): Promise<string[]> {
  const letters = [...word].length;
  if (letters < minTypoLength) return [];
  const typos = letters < shortestTwice ? 1 : 2;
  const { rows } = await wordsWithVariants(engine, variants(word, typos)).execute(db);
  return rows
    .map((row) => ({ word: row.word, distance: distance(word, row.word, typos) }))
    .filter((each) => each.distance > 0 && each.distance <= typos)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, similarUsed)
    .map((each) => each.word);
}

function wordsWithVariants(engine: Engine, any: string[]) {
  if (engine === "postgres")
    return sql<{ word: string }>`select word from search_words where variants_of(variants) && ${any}::text[] limit ${similarAsked}`;
  const query = any.map((variant) => `"${variant}"`).join(" OR ");
  return sql<{ word: string }>`select word from search_words where number in
    (select rowid from search_words_similar where search_words_similar match ${query} limit ${similarAsked})`;
}

export async function addSearchWords(db: DatabaseTransaction, columns: string[]): Promise<void> {
  const words = new Set(columns.flatMap((column) => column.split(" ")).filter(isTypoCandidate));
  if (words.size === 0) return;
  // Sorted, so that concurrent inserts don't deadlock on PostgreSQL.
  const rows = [...words].sort().map((word) => ({ word, variants: storedVariants(word) }));
  await db
    .insertInto("search_words")
    .values(rows)
    .onConflict((conflict) => conflict.column("word").doNothing())
    .execute();
}

export function isTypoCandidate(word: string): boolean {
  return [...word].length >= minTypoLength;
}

/** As many typos as allowed for a word that is two letters longer. */
export function storedVariants(word: string): string {
  return variants(word, [...word].length + 2 < shortestTwice ? 1 : 2).join(" ");
}
