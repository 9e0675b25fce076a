import { type RawBuilder, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";

const minSearchLength = 3;

export type FoundMember = { number: number; userId: string };

export function matchingMembers(engine: Engine, search: string, limit: number): RawBuilder<FoundMember> {
  const text = search.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
  // Orders the matches only, so that the planner doesn't use the index of the order.
  const newest = (matches: RawBuilder<unknown>) =>
    sql<FoundMember>`select number, "userId" from (${matches}) as matches order by number desc limit ${sql.lit(limit)}`;
  if (Array.from(text).length < minSearchLength) {
    const end = `${text}\u{10ffff}`;
    return newest(sql`select number, "userId" from member_texts where text >= ${text} and text < ${end} limit ${sql.lit(limit)}`);
  }
  if (engine === "sqlite") {
    const phrase = `"${text.replaceAll('"', '""')}"`;
    // `cross join` fixes the join order: SQLite would scan all texts.
    return sql`select number, "userId" from (
        select rowid as number from member_search where member_search match ${phrase} order by rowid desc limit ${sql.lit(limit)}
      ) as matches cross join member_texts using (number)`;
  }
  const pattern = (words: string) => `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  // PostgreSQL's `lower` changes no other letters than these.
  return newest(sql`select number, "userId" from member_texts where text like ${pattern(text)} or text like ${pattern(search.trim())}`);
}
