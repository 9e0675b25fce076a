import { type RawBuilder, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";

const minSearchLength = 3;

export type FoundMember = { number: number; userId: string };

export function matchingMembers(engine: Engine, search: string, limit: number): RawBuilder<FoundMember> {
  const typed = search.trim();
  const text = plainText(typed);
  // Orders the matches only, so that the planner doesn't use the index of the order.
  const newest = (matches: RawBuilder<unknown>) =>
    sql<FoundMember>`select number, "userId" from (${matches}) as matches order by number desc limit ${sql.lit(limit)}`;
  if (Array.from(text).length < minSearchLength) {
    const beginnings = engine === "sqlite" ? storedSpellings(typed, text) : [asIndexed(text), asIndexed(typed)];
    // One query per beginning: for `or` SQLite scans all texts.
    const ranges = beginnings.map(
      (beginning) => sql`select * from (
        select number, "userId" from member_texts where text >= ${beginning} and text < ${beginning} || ${"\u{10ffff}"} limit ${sql.lit(limit)}
      ) as matches`,
    );
    return newest(sql.join(ranges, sql` union `));
  }
  if (engine === "sqlite") {
    // The tokenizer removes the accents of Latin letters only.
    const phrases = [...new Set([text, typed.normalize("NFC")])].map((words) => `"${words.replaceAll('"', '""')}"`);
    // `cross join` fixes the join order: SQLite would scan all texts.
    return sql`select number, "userId" from (
        select rowid as number from member_search where member_search match ${phrases.join(" OR ")} order by rowid desc limit ${sql.lit(limit)}
      ) as matches cross join member_texts using (number)`;
  }
  const pattern = (words: string) => asIndexed(`%${words.replace(/[\\%_]/g, "\\$&")}%`);
  return newest(sql`select number, "userId" from member_texts where text like ${pattern(text)} or text like ${pattern(typed)}`);
}

/** For short lists: tests a name followed by an email address as `matchingMembers` does. */
export function memberMatcher(search: string): (text: string) => boolean {
  const searched = plainText(search.trim());
  const isBeginning = Array.from(searched).length < minSearchLength;
  return (text) => (isBeginning ? plainText(text).startsWith(searched) : plainText(text).includes(searched));
}

function plainText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** As `member_text` stores it. In some locales `lower` changes only a to z, so a name is searched as typed and in lower case. */
function asIndexed(text: string): RawBuilder<string> {
  return sql`lower(unaccent(${text}))`;
}

/** SQLite stores accents, and its `lower` changes only a to z. */
function storedSpellings(typed: string, text: string): string[] {
  const composed = typed.normalize("NFC").toLowerCase();
  const [first = "", ...rest] = composed;
  const isAscii = /^[a-z]/.test(first);
  return [...new Set([text, composed, isAscii ? composed : first.toUpperCase() + rest.join("")])];
}
