import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database, DatabaseTransaction, Engine } from "./open.ts";
import { distance, searchColumn, searchWords } from "./search-words.ts";

const wordsUsed = 12;
const shortestPrefix = 3;
const shortestMistyped = 4;
const similarAsked = 100;
const similarUsed = 5;

/** A word that somebody searches for: any of its forms will do. An open one may be the beginning of a longer word. */
export type SearchTerm = { forms: string[]; open: boolean };

/** The terms of a search, none when it holds no word. The last word may be the beginning of one. */
export function searchTerms(text: string): SearchTerm[] {
  const words = searchWords(text).slice(0, wordsUsed);
  return words.map((word, index) => ({ forms: [word], open: index === words.length - 1 && word.length >= shortestPrefix }));
}

/** A condition on `posts`: every term occurs in title, author or text. */
export function matchesTerms(engine: Engine, terms: SearchTerm[]): RawBuilder<SqlBool> {
  // Words hold letters, digits and marks only, so nothing that anybody types reaches either query language.
  if (engine === "sqlite") {
    const query = combine(terms, (word, open) => `"${word}"${open ? " *" : ""}`, " OR ", " AND ");
    return sql<SqlBool>`posts.number in (select rowid from posts_search where posts_search match ${query})`;
  }
  const query = combine(terms, (word, open) => `'${word}'${open ? ":*" : ""}`, " | ", " & ");
  return sql<SqlBool>`posts.search @@ ${query}::tsquery`;
}

function combine(terms: SearchTerm[], write: (word: string, open: boolean) => string, or: string, and: string): string {
  return terms.map((term) => `(${term.forms.map((word) => write(word, isOpen(term, word))).join(or)})`).join(and);
}

/** Only the form that was typed may be a beginning. */
function isOpen({ forms, open }: SearchTerm, word: string): boolean {
  return open && word === forms[0];
}

/** How well a story of `posts` answers: each term counts most in the title, less in the author's name, least in the text. */
export function relevance(engine: Engine, terms: SearchTerm[]): RawBuilder<number> {
  const find = sql.raw(engine === "sqlite" ? "instr" : "strpos");
  const stands = (column: string, term: SearchTerm) => {
    const places = term.forms.map((word) => {
      const part = ` ${word}${isOpen(term, word) ? "" : " "}`;
      return sql`${find}(' ' || ${sql.ref(column)} || ' ', ${part}) > 0`;
    });
    return sql.join(places, sql` or `);
  };
  const weights = terms.map(
    (term) => sql`case when ${stands("posts.searchTitle", term)} then 4 when ${stands("posts.searchAuthor", term)} then 3 else 1 end`,
  );
  return sql<number>`${sql.join(weights, sql` + `)}`;
}

/** The same terms, each with the words of titles and names that it could be a slip of; undefined when there are none. */
export async function forgiveSlips(db: Database, engine: Engine, terms: SearchTerm[]): Promise<SearchTerm[] | undefined> {
  const similar = await Promise.all(terms.map(({ forms: [word = ""] }) => similarWords(db, engine, word)));
  if (similar.every((words) => words.length === 0)) return undefined;
  return terms.map(({ forms, open }, index) => ({ forms: [...forms, ...(similar[index] ?? [])], open }));
}

/** The engine proposes, by groups of three letters; what is close enough is decided here, so that it is the same on both. */
async function similarWords(db: Database, engine: Engine, word: string): Promise<string[]> {
  const letters = [...word].length;
  if (letters < shortestMistyped) return [];
  const limit = letters < 2 * shortestMistyped ? 1 : 2;
  const { rows } = await (engine === "sqlite" ? proposalsOfSqlite(word) : proposalsOfPostgres(word)).execute(db);
  return rows
    .map((row) => ({ word: row.word, distance: distance(word, row.word, limit) }))
    .filter((each) => each.distance > 0 && each.distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, similarUsed)
    .map((each) => each.word);
}

function proposalsOfSqlite(word: string) {
  const letters = [" ", ...word, " "];
  const threes = letters.slice(2).map((_, index) => `"${letters.slice(index, index + 3).join("")}"`);
  return sql<{ word: string }>`
    select w.word from search_words_similar s join search_words w on w.number = s.rowid
    where search_words_similar match ${threes.join(" OR ")} order by s.rank limit ${similarAsked}`;
}

function proposalsOfPostgres(word: string) {
  return sql<{ word: string }>`select word from search_words order by word <-> ${word} limit ${similarAsked}`;
}

/** What a story is found by; written with it whenever one of the three changes. */
export function searchColumns({ title, userName, plainText }: { title: string; userName: string; plainText: string }) {
  return { searchTitle: searchColumn(title), searchAuthor: searchColumn(userName), searchText: searchColumn(plainText) };
}

/** Adds the words of search columns to those that a mistyped one may stand for. */
export async function rememberWords(db: DatabaseTransaction, columns: string[]): Promise<void> {
  const words = new Set(columns.flatMap((column) => column.split(" ")).filter((word) => [...word].length >= shortestMistyped));
  if (words.size === 0) return;
  // Always in one order: two who add the same words in different orders would wait for each other on PostgreSQL.
  const rows = [...words].sort().map((word) => ({ word }));
  await db
    .insertInto("search_words")
    .values(rows)
    .onConflict((conflict) => conflict.column("word").doNothing())
    .execute();
}
