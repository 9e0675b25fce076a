import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Engine } from "../database/engine.ts";
import type { DatabaseConfig } from "../database/open.ts";
import { type CopiedValue, fromSqlite, quote, type Table, toSqlite } from "./columns.ts";
import * as postgres from "./postgres-tables.ts";
import { connect } from "./snapshot.ts";
import * as sqlite from "./sqlite-tables.ts";

export type DatabaseImport = {
  engine: Engine;
  tables: Table[];
  insert(table: Table, rows: CopiedValue[][]): Promise<void>;
  rows(table: Table): AsyncIterable<CopiedValue[]> | Iterable<CopiedValue[]>;
  finish(): Promise<void>;
  close(): Promise<void>;
};

export function openDatabaseImport({ dataDir, databaseUrl }: DatabaseConfig, keptTables: readonly string[] = []): Promise<DatabaseImport> {
  return databaseUrl === undefined
    ? openSqliteImport(join(dataDir, "inkstead.db"), keptTables)
    : openPostgresImport(databaseUrl, keptTables);
}

async function openSqliteImport(file: string, keptTables: readonly string[]): Promise<DatabaseImport> {
  const database = new DatabaseSync(file);
  // Durability doesn't matter until the file is complete.
  database.exec("pragma journal_mode = memory; pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -65536");
  const tables = sqlite.describeTables(database).filter((table) => !keptTables.includes(table.name));
  const triggers = dropCounterTriggers(database);
  database.exec("begin");
  for (const { name } of tables.toReversed()) database.exec(`delete from ${quote(name)}`);
  return {
    engine: "sqlite",
    tables,
    async insert({ name, columns }, rows) {
      const placeholders = columns.map(() => "?").join(", ");
      const statement = database.prepare(
        `insert into ${quote(name)} (${columns.map((each) => quote(each.name)).join(", ")}) values (${placeholders})`,
      );
      for (const row of rows)
        statement.run(...columns.map(({ type }, index) => toSqlite(type, row[index] as CopiedValue) as SQLInputValue));
    },
    *rows({ name, columns }) {
      for (const row of sqlite.readRows(database, name, columns))
        yield columns.map(({ type }, index) => fromSqlite(type, row[index] as Parameters<typeof fromSqlite>[1]));
    },
    async finish() {
      const [orphan] = database.prepare("pragma foreign_key_check").all();
      if (orphan) throw new Error(`a row of ${orphan.table} refers to a missing row of ${orphan.parent}`);
      for (const trigger of triggers) database.exec(trigger);
      database.exec("commit");
      database.exec("pragma synchronous = full; pragma journal_mode = delete");
    },
    close: async () => database.close(),
  };
}

/** Counters are copied, so their triggers must not run. Those of search indexes, which aren't copied, must. */
function dropCounterTriggers(database: DatabaseSync): string[] {
  const virtual = database.prepare("select name from pragma_table_list where schema = 'main' and type = 'virtual'").all();
  const triggers = database.prepare("select name, sql from sqlite_schema where type = 'trigger'").all();
  const dropped = triggers.filter(({ sql }) => !virtual.some(({ name }) => String(sql).includes(`into ${name}`)));
  for (const { name } of dropped) database.exec(`drop trigger ${quote(String(name))}`);
  return dropped.map(({ sql }) => String(sql));
}

async function openPostgresImport(url: string, keptTables: readonly string[]): Promise<DatabaseImport> {
  const { query, close } = await connect(url, "inkstead restore");
  await query("begin");
  const tables = (await postgres.describeTables(query)).filter((table) => !keptTables.includes(table.name));
  // Not truncated: kept tables may refer to them.
  for (const name of [...tables.map((table) => table.name).toReversed(), "events"]) await query(`delete from ${quote(name)}`);
  await postgres.setFastUpdate(query, true);
  return {
    engine: "postgres",
    tables,
    insert: ({ name, columns }, rows) => postgres.insertRows(query, name, columns, rows),
    rows: ({ name, columns }) => postgres.readRows(query, name, columns),
    async finish() {
      await postgres.resetSequences(query, tables);
      await postgres.setFastUpdate(query, false);
      await query("commit");
      await query("analyze");
    },
    close,
  };
}
