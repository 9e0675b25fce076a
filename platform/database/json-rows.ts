import { type RawBuilder, sql } from "kysely";
import type { Engine } from "./engine.ts";
import { replaceNul } from "./parameters.ts";

export type ColumnType = "text" | "integer" | "bigint" | "boolean";
type Value = string | number | boolean | null;

/**
 * Rows as a subquery with one JSON parameter: `from ${jsonRows(…)} as r`. The statement is the same for any number of rows,
 * so it is compiled and prepared once.
 */
export function jsonRows<const Columns extends Record<string, ColumnType>>(
  engine: Engine,
  columns: Columns,
  rows: readonly { [Name in keyof Columns]: Value }[],
): RawBuilder<unknown> {
  const names = Object.keys(columns) as (string & keyof Columns)[];
  // JSON may hold half a surrogate pair, PostgreSQL's text may not.
  const wellFormed = (value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
  const json = JSON.stringify(rows.map((row) => replaceNul(names.map((name) => row[name])).map(wellFormed)));
  if (engine === "sqlite") {
    const cells = names.map((name, at) => sql`value ->> ${sql.lit(at)} as ${sql.id(name)}`);
    return sql`(select ${sql.join(cells)} from json_each(${json}))`;
  }
  const cells = names.map((name, at) => sql`(value ->> ${sql.lit(at)})::${sql.raw(columns[name] as ColumnType)} as ${sql.id(name)}`);
  return sql`(select ${sql.join(cells)} from json_array_elements(${json}::json))`;
}
