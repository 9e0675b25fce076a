import type pg from "pg";
import {
  type Column,
  type ColumnType,
  type CopiedValue,
  internalTables,
  normalizeValue,
  quote,
  sortByReferences,
  type Table,
} from "./columns.ts";

export type RunQuery = (sql: string, parameters?: unknown[]) => Promise<Record<string, string | null>[]>;

export const asText = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

const knownTypes = ["text", "bigint", "integer", "boolean", "timestamp with time zone", "double precision", "bytea"];

/** Rows per fetch; fewer if they are long. */
const maxRows = 1000;
const charactersPerFetch = 1_000_000;

export async function tableNames(query: RunQuery): Promise<string[]> {
  const rows = await query(
    `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e') order by 1`,
  );
  return rows.map((row) => row.name as string);
}

export async function describeTables(query: RunQuery): Promise<Table[]> {
  const references = await query(
    `select distinct c.conrelid::regclass::text as name, c.confrelid::regclass::text as other from pg_constraint c
     where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and c.conrelid <> c.confrelid`,
  );
  const names = (await tableNames(query)).filter((name) => !internalTables.includes(name));
  const tables: Table[] = [];
  for (const name of names) {
    const refersTo = references.filter((row) => row.name === name).map((row) => row.other as string);
    tables.push({ name, columns: await columnsOf(query, name), refersTo });
  }
  return sortByReferences(tables);
}

/** GIN fast update halves the work of a bulk load; `false` merges the pending list. Older versions may lack an index. */
export async function setFastUpdate(query: RunQuery, on: boolean): Promise<void> {
  const indexes = await query("select name from unnest(array['posts_search', 'member_search']) name where to_regclass(name) is not null");
  for (const { name } of indexes) {
    await query(`alter index ${name} set (fastupdate = ${on ? "on" : "off"})`);
    if (!on) await query("select gin_clean_pending_list($1::regclass)", [name]);
  }
}

export async function columnsOf(query: RunQuery, table: string): Promise<Column[]> {
  const rows = await query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  for (const { name, type } of rows)
    if (!knownTypes.includes(type ?? "")) throw new Error(`${table}.${name} is of type ${type}, which can't be copied yet.`);
  return rows.map((row) => ({ name: row.name as string, type: row.type as ColumnType }));
}

export async function insertRows(query: RunQuery, table: string, columns: Column[], rows: CopiedValue[][]): Promise<void> {
  const names = columns.map((column) => quote(column.name)).join(", ");
  const arrays = columns.map((column, index) => `$${index + 1}::${column.type}[]`).join(", ");
  const values = columns.map((_, index) => rows.map((row) => row[index]));
  await query(`insert into ${quote(table)} (${names}) select * from unnest(${arrays})`, values);
}

export async function* readRows(query: RunQuery, table: string, columns: Column[]): AsyncGenerator<CopiedValue[]> {
  const names = columns.map((column) => quote(column.name)).join(", ");
  await query(`declare everything no scroll cursor for select ${names} from ${quote(table)}`);
  for (let fetched = 10; ; ) {
    const rows = await query(`fetch ${fetched} from everything`);
    let characters = 0;
    for (const row of rows) {
      const values = columns.map(({ name, type }) => normalizeValue(type, row[name] ?? null));
      for (const value of values) characters += value?.length ?? 0;
      yield values;
    }
    if (rows.length < fetched) break;
    const fitting = Math.floor((charactersPerFetch * rows.length) / Math.max(1, characters));
    fetched = Math.max(1, Math.min(maxRows, fitting, 2 * fetched));
  }
  await query("close everything");
}

export async function resetSequences(query: RunQuery, tables: Pick<Table, "name" | "columns">[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const { name: column } of columns) {
      const [row] = await query("select pg_get_serial_sequence($1, $2) as sequence", [quote(name), column]);
      if (!row?.sequence) continue;
      const highest = `(select max(${quote(column)}) from ${quote(name)})`;
      await query(`select setval($1, coalesce(${highest}, 1), ${highest} is not null)`, [row.sequence]);
    }
  }
}
