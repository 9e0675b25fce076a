import { sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import type { Database } from "#platform/database/open.ts";
import type { SearchTerm } from "./search.ts";
import { allowedTypos, isTypoCandidate, variants } from "./search-words.ts";

const maxCandidates = 1_000;
const maxSimilarWords = 5;

/** Adds similar words of titles and names to each term. Undefined if there are none. */
export async function withSimilarWords(db: Database, engine: Engine, terms: SearchTerm[]): Promise<SearchTerm[] | undefined> {
  const similar = await Promise.all(terms.map(({ forms: [word = ""] }) => similarWords(db, engine, word)));
  if (similar.every((words) => words.length === 0)) return undefined;
  return terms.map((term, index) => ({ ...term, forms: [...term.forms, ...(similar[index] ?? [])] }));
}

async function similarWords(db: Database, engine: Engine, word: string): Promise<string[]> {
  if (!isTypoCandidate(word)) return [];
  const typos = allowedTypos([...word].length);
  const { rows } = await wordsWithVariants(engine, variants(word, typos)).execute(db);
  return rows
    .map((row) => ({ word: row.word, distance: distance(word, row.word, typos) }))
    .filter((each) => each.distance > 0 && each.distance <= typos)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, maxSimilarWords)
    .map((each) => each.word);
}

function wordsWithVariants(engine: Engine, any: string[]) {
  if (engine === "postgres")
    return sql<{ word: string }>`select word from search_words where variants_of(variants) && ${any}::text[] limit ${maxCandidates}`;
  const query = any.map((variant) => `"${variant}"`).join(" OR ");
  return sql<{ word: string }>`select word from search_words where number in
    (select rowid from search_words_similar where search_words_similar match ${query} limit ${maxCandidates})`;
}

/** Edits (insertions, deletions, replacements, swaps of neighbors) from one word to another; `limit` + 1 if more. */
export function distance(one: string, other: string, limit: number): number {
  const [a, b] = [[...one], [...other]];
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = b.map((_, j) => j).concat(b.length);
  for (const [i, letter] of a.entries()) {
    const row = [i + 1];
    for (const [j, otherLetter] of b.entries()) {
      const same = letter === otherLetter ? 0 : 1;
      let best = Math.min((row[j] ?? 0) + 1, (last[j + 1] ?? 0) + 1, (last[j] ?? 0) + same);
      if (i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === otherLetter) best = Math.min(best, (beforeLast[j - 1] ?? 0) + 1);
      row.push(best);
    }
    [beforeLast, last] = [last, row];
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}
