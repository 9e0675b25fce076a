import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely, type Transaction } from "kysely";
import type { Tables } from "./schema.ts";
import { sqliteDialect } from "./sqlite.ts";
import { guardTransactions } from "./transaction-guard.ts";

export type Engine = "sqlite" | "postgres";
export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

/** Opens the site's database in the data folder, making both when they don't exist. */
export function openDatabase(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true });
  return guardTransactions(new Kysely<Tables>({ dialect: sqliteDialect(join(dataDir, "inkstead.db")) }));
}
