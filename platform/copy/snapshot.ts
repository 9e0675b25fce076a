import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { Engine } from "../database/engine.ts";
import type { DatabaseConfig } from "../database/open.ts";
import { keepAlive } from "../database/postgres.ts";
import { type CopiedValue, fromSqlite, type Table } from "./columns.ts";
import * as postgres from "./postgres-tables.ts";
import * as sqlite from "./sqlite-tables.ts";

/** A consistent view of the database, unaffected by concurrent writes. */
export type Snapshot = {
  engine: Engine;
  migrations: string[];
  tables: Table[];
  rows(table: Table): AsyncIterable<CopiedValue[]> | Iterable<CopiedValue[]>;
  close(): Promise<void>;
};

export function openSnapshot({ dataDir, databaseUrl }: DatabaseConfig): Promise<Snapshot> {
  return databaseUrl === undefined ? openSqliteSnapshot(join(dataDir, "inkstead.db")) : openPostgresSnapshot(databaseUrl);
}

async function openSqliteSnapshot(file: string): Promise<Snapshot> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  // In WAL mode a reader keeps the state of its first read.
  database.exec("begin");
  const rows = database.prepare("select name from migrations order by name").all();
  return {
    engine: "sqlite",
    migrations: rows.map((row) => String(row.name)),
    tables: sqlite.describeTables(database),
    *rows({ name, columns }) {
      const types = columns.map((column) => column.type);
      for (const row of sqlite.readRows(database, name, columns))
        yield row.map((value, index) => fromSqlite(types[index] as (typeof types)[number], value));
    },
    close: async () => database.close(),
  };
}

async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const { query, close } = await connect(url, "inkstead backup");
  await query("begin transaction isolation level repeatable read read only");
  const rows = await query("select name from migrations order by name");
  return {
    engine: "postgres",
    migrations: rows.map((row) => row.name as string),
    tables: await postgres.describeTables(query),
    rows: ({ name, columns }) => postgres.readRows(query, name, columns),
    close,
  };
}

/**
 * Not startup parameters, which PgBouncer can be told to ignore. `inkstead.moving` disables the triggers of counters, which are copied
 * themselves.
 */
const copySettings =
  "set timezone = 'UTC'; set inkstead.moving = 'on'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0";

export async function connect(url: string, name: string): Promise<{ query: postgres.RunQuery; close(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    types: postgres.asText,
    connectionTimeoutMillis: 10_000,
    ...keepAlive,
  });
  let connectionError: Error | undefined;
  client.on("error", (error) => {
    connectionError = error;
  });
  await client.connect();
  await client.query(copySettings);
  return {
    async query(sql, parameters = []) {
      if (connectionError) throw connectionError;
      return (await client.query(sql, parameters)).rows as Record<string, string | null>[];
    },
    close: () => client.end().catch(() => {}),
  };
}
