import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type Column, type ColumnType, internalTables, quote, type SqliteValue, sortByReferences, type Table } from "./columns.ts";

export type SqliteTable = Table & { key: string[] };

const types: Record<string, ColumnType> = {
  text: "text",
  integer: "integer",
  bigint: "bigint",
  boolean: "boolean",
  real: "double precision",
  "double precision": "double precision",
  blob: "bytea",
};

export function describeTables(database: DatabaseSync): SqliteTable[] {
  const rows = allRows(
    database,
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name",
  );
  const names = rows.map((row) => String(row.name)).filter((name) => !internalTables.includes(name));
  return sortByReferences(names.map((name) => describeTable(database, name)));
}

function describeTable(database: DatabaseSync, name: string): SqliteTable {
  const columns = allRows(database, "select name, type, pk from pragma_table_info(?) order by cid", name);
  const key = columns.filter((column) => column.pk !== 0n).sort((a, b) => Number(a.pk) - Number(b.pk));
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`);
  const references = allRows(database, `select distinct "table" as name from pragma_foreign_key_list(?)`, name);
  return {
    name,
    columns: columns.map((column) => ({ name: String(column.name), type: typeOf(name, column) })),
    key: key.map((column) => String(column.name)),
    refersTo: references.map((row) => String(row.name)).filter((other) => other !== name),
  };
}

function typeOf(table: string, column: Record<string, SqliteValue>): ColumnType {
  const type = types[String(column.type).toLowerCase()];
  if (!type) throw new Error(`${table}.${column.name} is of type ${column.type}, which can't be copied yet.`);
  return type;
}

/** `condition`: the SQL after the table's name, with `parameters`. */
export function* readRows(
  database: DatabaseSync,
  table: string,
  columns: Column[],
  condition = "",
  parameters: SQLInputValue[] = [],
): Generator<SqliteValue[]> {
  const names = columns.map((column) => quote(column.name)).join(", ");
  const statement = database.prepare(`select ${names} from ${quote(table)} ${condition}`);
  statement.setReadBigInts(true);
  for (const row of statement.iterate(...parameters)) yield columns.map((column) => row[column.name] as SqliteValue);
}

export function allRows(database: DatabaseSync, sql: string, ...parameters: SQLInputValue[]): Record<string, SqliteValue>[] {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement.all(...parameters) as Record<string, SqliteValue>[];
}
