import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";

/** Compares bytes. */
export function contains(engine: Engine, text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> {
  const find = sql.raw(engine === "sqlite" ? "instr" : "strpos");
  return sql<SqlBool>`${find}(${text}, cast(${part} as text)) > 0`;
}

export function containsWord(engine: Engine, words: RawBuilder<unknown>, word: string, isPrefix = false): RawBuilder<SqlBool> {
  return contains(engine, sql`' ' || ${words} || ' '`, ` ${word}${isPrefix ? "" : " "}`);
}
