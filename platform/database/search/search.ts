import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import { containsWord } from "./contains.ts";
import { searchWords } from "./search-words.ts";

const maxTerms = 12;
const minPrefixLength = 3;

export type SearchTerm = { forms: string[]; isPrefix: boolean };

export function searchTerms(text: string): SearchTerm[] {
  const words = searchWords(text).slice(0, maxTerms);
  return words.map((word, index) => ({ forms: [word], isPrefix: index === words.length - 1 && word.length >= minPrefixLength }));
}

/** Field marks of the index (definitions/). */
const fieldMarkers = { anywhere: "", title: "¹", author: "²" };
export type SearchField = keyof typeof fieldMarkers;

export function matchesTerms(engine: Engine, terms: SearchTerm[]): RawBuilder<SqlBool> {
  const query = allOf(engine, searchClauses(engine, terms));
  if (engine === "sqlite") return sql<SqlBool>`posts.number in (select abs(rowid) from posts_search where posts_search match ${query})`;
  return sql<SqlBool>`story_words(posts."searchTitle", posts."searchAuthor", posts."searchText", posts.number) @@ ${query}::tsquery`;
}

/** Terms hold only letters, digits and marks: nothing to escape. */
function searchClauses(engine: Engine, terms: SearchTerm[], place: SearchField = "anywhere"): string[] {
  return terms.map((term) => `(${anyOf(engine, [term], place)})`);
}

export type KeysetScan = {
  limit: number;
  after?: number | undefined;
  oldestFirst?: boolean | undefined;
};

export function newestMatches(engine: Engine, terms: SearchTerm[], scan: KeysetScan): RawBuilder<{ number: number }> {
  return scanMatches(engine, searchClauses(engine, terms), scan);
}

export function newestOfAll(
  engine: Engine,
  terms: SearchTerm[],
  limit: number,
  place: SearchField = "anywhere",
): RawBuilder<{ number: number }> {
  const clauses = searchClauses(engine, terms, place);
  if (engine === "sqlite") {
    const query = allOf(engine, clauses);
    const scan = (which: string, direction: string) =>
      sql`select * from (select abs(rowid) as number from posts_search where posts_search match ${query} and rowid ${sql.raw(which)} 0
        order by rowid ${sql.raw(direction)} limit ${limit})`;
    // Nested: SQLite allows `limit` in a union only there.
    return sql`select number from (${scan(">", "desc")} union all ${scan("<", "asc")} order by number desc limit ${limit})`;
  }
  return sql`select number from find_stories(${rarestFirst(clauses)}::text[], ${limit}, null, false, true) as found(number)`;
}

/** Stories to rank besides `newestTitleMatches`: with a term in the title or author's name, and the newest ones, at most `each` of each kind. */
export function rankingCandidates(engine: Engine, terms: SearchTerm[], each: number): RawBuilder<{ number: number }> {
  const scan = sql`select * from (${newestMatches(engine, terms, { limit: each })}) as scan`;
  return sql<{ number: number }>`${scan} union ${titleOrAuthorMatches(engine, terms, each)}`;
}

export function titleOrAuthorMatches(engine: Engine, terms: SearchTerm[], each: number): RawBuilder<{ number: number }> {
  const anywhere = searchClauses(engine, terms);
  // A single term in the title is covered by `newestTitleMatches`.
  const places = terms.length > 1 ? (["title", "author"] as const) : (["author"] as const);
  const kinds = places.map((place) => [...anywhere, `(${anyOf(engine, terms, place)})`]);
  const scans = kinds.map((clauses) => sql`select * from (${scanMatches(engine, clauses, { limit: each })}) as scan`);
  return sql<{ number: number }>`${sql.join(scans, sql` union `)}`;
}

/**
 * Newest stories whose title holds all terms, the highest rank. For a shortened prefix only the newest `maxShortened` are checked, so some
 * may be missing.
 */
export function newestTitleMatches(engine: Engine, terms: SearchTerm[], scan: KeysetScan): RawBuilder<{ number: number }> {
  const titles = searchClauses(engine, terms, "title");
  if (!terms.some(isShortened)) return scanMatches(engine, titles, scan);
  const titleMatches = scanMatches(engine, titles, { ...scan, limit: maxShortened });
  return sql`select posts.number from (${titleMatches}) as scan cross join posts
    where posts.number = scan.number and ${relevance(engine, terms)} = ${highestRelevance(terms)} order by scan.number desc limit ${scan.limit}`;
}

/** One query text for any list, so that its plan is cached. */
export function numbersQuery(engine: Engine, numbers: number[]): RawBuilder<{ number: number }> {
  const json = JSON.stringify(numbers);
  if (engine === "sqlite") return sql`select value as number from json_each(${json})`;
  return sql`select value::bigint as number from json_array_elements_text(${json}::json)`;
}

function scanMatches(engine: Engine, clauses: string[], { limit, after, oldestFirst = false }: KeysetScan): RawBuilder<{ number: number }> {
  const [direction, beyond] = [sql.raw(oldestFirst ? "asc" : "desc"), sql.raw(oldestFirst ? ">" : "<")];
  if (engine === "sqlite") {
    const onwards = after === undefined ? sql`` : sql`and rowid ${beyond} ${after}`;
    return sql`select rowid as number from posts_search where posts_search match ${allOf(engine, clauses)} and rowid > 0 ${onwards}
      order by rowid ${direction} limit ${limit}`;
  }
  return sql`select number from find_stories(${rarestFirst(clauses)}::text[], ${limit}, ${after ?? null}, ${oldestFirst}, false) as found(number)`;
}

function rarestFirst(clauses: string[]): string[] {
  return clauses.toSorted((one, other) => other.length - one.length);
}

/** PostgreSQL's index holds word prefixes of 3 to 10 characters behind this mark; FTS5 indexes prefixes itself. */
const prefixMark = "⁴";
function isIndexedPrefix(text: string): boolean {
  const { length } = [...text];
  return length >= 3 && length <= 10;
}

const operators = { sqlite: { and: " AND ", or: " OR " }, postgres: { and: " & ", or: " | " } };
const word = {
  sqlite: (text: string, isPrefix: boolean) => `"${text}"${isPrefix ? " *" : ""}`,
  postgres: (text: string, isPrefix: boolean) =>
    isPrefix && isIndexedPrefix(text) ? `'${prefixMark}${text}'` : `'${text}'${isPrefix ? ":*" : ""}`,
};

function allOf(engine: Engine, clauses: string[]): string {
  return clauses.join(operators[engine].and);
}

function anyOf(engine: Engine, terms: SearchTerm[], place: SearchField): string {
  const forms = terms.flatMap((term) =>
    term.forms.map((form) => {
      const isPrefixForm = isPrefixOf(term, form);
      const cut = isPrefixForm && place !== "anywhere" && isShortened(term) ? maxPrefixLength : undefined;
      return word[engine](fieldMarkers[place] + [...form].slice(0, cut).join(""), isPrefixForm);
    }),
  );
  return forms.join(operators[engine].or);
}

/** Longer prefixes aren't indexed and would be slow; they are cut, and the results checked against the full word. */
const maxPrefixLength = 9;
const maxShortened = 50;
function isShortened({ forms: [typed = ""], isPrefix }: SearchTerm): boolean {
  return isPrefix && [...typed].length > maxPrefixLength;
}

/** Only the typed form can be a prefix, not its corrections. */
function isPrefixOf({ forms, isPrefix }: SearchTerm, word: string): boolean {
  return isPrefix && word === forms[0];
}

const weights = { title: 4, author: 3, text: 1 };

export function highestRelevance(terms: SearchTerm[]): number {
  return weights.title * terms.length;
}

export function relevance(engine: Engine, terms: SearchTerm[]): RawBuilder<number> {
  const [title, author, text] = [weights.title, weights.author, weights.text].map((weight) => sql.lit(weight));
  const found = terms.map((term) => {
    const [inTitle, inAuthor] = [occurs(engine, term, "searchTitle"), occurs(engine, term, "searchAuthor")];
    return sql`case when ${inTitle} then ${title} when ${inAuthor} then ${author} else ${text} end`;
  });
  return sql<number>`${sql.join(found, sql` + `)}`;
}

/** Like `matchesTerms`, but evaluated per story without the index. */
export function containsTerms(engine: Engine, terms: SearchTerm[]): RawBuilder<SqlBool> {
  const columns = ["searchTitle", "searchAuthor", "searchText"] as const;
  const anywhere = (term: SearchTerm) =>
    sql`(${sql.join(
      columns.map((column) => occurs(engine, term, column)),
      sql` or `,
    )})`;
  return sql<SqlBool>`(${sql.join(terms.map(anywhere), sql` and `)})`;
}

function occurs(engine: Engine, term: SearchTerm, column: "searchTitle" | "searchAuthor" | "searchText"): RawBuilder<SqlBool> {
  const forms = term.forms.map((word) => containsWord(engine, sql.ref(`posts.${column}`), word, isPrefixOf(term, word)));
  return sql<SqlBool>`${sql.join(forms, sql` or `)}`;
}
