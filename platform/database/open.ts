import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely, type Transaction } from "kysely";
import { type SqliteOptions, sqliteDialect } from "#platform/database/sqlite/sqlite.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { seconds } from "../time.ts";
import { CacheInvalidation } from "./cache-invalidation.ts";
import type { Engine } from "./engine.ts";
import { DatabaseLoad } from "./load.ts";
import { type PostgresOptions, postgresDialect } from "./postgres.ts";
import type { Tables } from "./schema.ts";
import { guardTransactions } from "./transaction-guard.ts";

export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;
export type DatabaseConfig = Pick<Config, "dataDir" | "databaseUrl" | "databaseConnections">;
export type OpenDatabase = { db: Database; engine: Engine; cacheInvalidation: CacheInvalidation; load: DatabaseLoad };

/** PostgreSQL if an address is given, otherwise a SQLite file, created if missing. */
export function openDatabase({ databaseUrl, databaseConnections, dataDir }: DatabaseConfig, log?: Log): OpenDatabase {
  if (databaseUrl === undefined) return openSqlite(dataDir);
  const onConnectionLost = (err: Error) => log?.warn({ err }, "a connection to the database was lost");
  return openPostgres(databaseUrl, { connections: databaseConnections, onConnectionLost });
}

/** One connection without a statement timeout. */
export function openForMigration({ databaseUrl, dataDir }: DatabaseConfig): OpenDatabase {
  // One statement may change every page of the database.
  if (databaseUrl === undefined) return openSqlite(dataDir, { keepTempInMemory: false });
  // While a machine boots, PostgreSQL may be slow to answer, and no request waits for this.
  return openPostgres(databaseUrl, { connections: 1, connectTimeout: seconds(30), statementTimeout: 0 });
}

function openPostgres(url: string, options: PostgresOptions): OpenDatabase {
  const [cacheInvalidation, load] = [new CacheInvalidation(), new DatabaseLoad()];
  const dialect = postgresDialect(url, { ...options, cacheInvalidation, load });
  return { db: guardTransactions(new Kysely<Tables>({ dialect })), engine: "postgres", cacheInvalidation, load };
}

function openSqlite(dataDir: string, options: Partial<SqliteOptions> = {}): OpenDatabase {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const [cacheInvalidation, load] = [new CacheInvalidation(), new DatabaseLoad()];
  const dialect = sqliteDialect(join(dataDir, "inkstead.db"), { ...options, cacheInvalidation, load });
  return { db: guardTransactions(new Kysely<Tables>({ dialect })), engine: "sqlite", cacheInvalidation, load };
}
