import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Column, SqliteValue } from "#platform/copy/columns.ts";
import { quote } from "#platform/copy/columns.ts";
import { describeTables, type SqliteTable } from "#platform/copy/sqlite-tables.ts";
import { openExclusively } from "#platform/database/sqlite/exclusive-lock.ts";
import { MoveError } from "./options.ts";

export type SourceTable = Omit<SqliteTable, "columns"> & { columns: string[] };
export type SourceRow = SqliteValue[];

const bytesRead = 4 * 1024 * 1024;

/** The site's SQLite file, locked while it is open. */
export class Source {
  readonly #database: DatabaseSync;
  readonly #file: number;

  /** @throws MoveError when another process has it open. */
  constructor(dataDir: string) {
    const file = join(dataDir, "inkstead.db");
    const running = `The site in ${dataDir} is running. Stop it first: anything written during the move would be lost.`;
    this.#database = openExclusively(file, () => new MoveError(running));
    this.#file = openSync(file, "r");
  }

  migrations(): string[] {
    if (this.#all("select 1 from sqlite_schema where name = 'migrations'").length === 0) return [];
    return this.#all("select name from migrations order by name").map((row) => String(row.name));
  }

  /** Changes with the data: an interrupted move may only resume with the same source. */
  fingerprint(): string {
    const hash = createHash("sha256");
    const buffer = Buffer.alloc(bytesRead);
    for (let at = 0, read = 0; ; at += read) {
      read = readSync(this.#file, buffer, 0, bytesRead, at);
      if (read === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, read));
    }
  }

  /** Tables after those that they refer to. */
  tables(): SourceTable[] {
    return describeTables(this.#database).map((table) => ({ ...table, columns: table.columns.map((column) => column.name) }));
  }

  count(table: SourceTable): number {
    return Number(this.#all(`select count(*) as rows from ${quote(table.name)}`)[0]?.rows);
  }

  /** All rows in key order, or those after the key `last`. */
  *rows(table: SourceTable, columns: Column[], last?: SQLInputValue[]): Generator<SourceRow> {
    const key = table.key.map(quote).join(", ");
    const after = last ? `where (${key}) > (${last.map(() => "?").join(", ")})` : "";
    const names = columns.map((column) => quote(column.name)).join(", ");
    const statement = this.#database.prepare(`select ${names} from ${quote(table.name)} ${after} order by ${key}`);
    statement.setReadBigInts(true);
    for (const row of statement.iterate(...(last ?? []))) yield columns.map((column) => row[column.name] as SqliteValue);
  }

  #all(sql: string, ...parameters: SQLInputValue[]): Record<string, SqliteValue>[] {
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all(...parameters) as Record<string, SqliteValue>[];
  }

  close(): void {
    this.#database.close();
    // Not earlier: closing a file releases all locks that the process has on it.
    closeSync(this.#file);
  }
}
