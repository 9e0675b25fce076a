import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "./open.ts";

const wordsUsed = 12;
const shortestPrefix = 3;

/**
 * A condition on `posts` that holds where every word of the text occurs in title, author or content; the last word may
 * be the beginning of one. Undefined when the text holds no word. The text never reaches either engine's query syntax.
 */
export function matchesSearch(engine: Engine, text: string): RawBuilder<SqlBool> | undefined {
  const words = (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).slice(0, wordsUsed);
  if (words.length === 0) return undefined;
  const open = (word: string, index: number) => index === words.length - 1 && word.length >= shortestPrefix;
  if (engine === "sqlite") {
    const query = words.map((word, index) => `"${word}"${open(word, index) ? "*" : ""}`).join(" ");
    return sql<SqlBool>`posts.number in (select rowid from posts_search where posts_search match ${query})`;
  }
  const query = words.map((word, index) => `${word}${open(word, index) ? ":*" : ""}`).join(" & ");
  return sql<SqlBool>`posts.search @@ to_tsquery('plain_words', ${query})`;
}
