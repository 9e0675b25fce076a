import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Column, SqliteValue } from "#platform/copy/columns.ts";
import { quote } from "#platform/copy/columns.ts";
import { allRows, describeTables, readRows, type SqliteTable } from "#platform/copy/sqlite-tables.ts";
import { openExclusively } from "#platform/database/sqlite/exclusive-lock.ts";
import { MoveError } from "./options.ts";

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
    if (allRows(this.#database, "select 1 from sqlite_schema where name = 'migrations'").length === 0) return [];
    return allRows(this.#database, "select name from migrations order by name").map((row) => String(row.name));
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
  tables(): SqliteTable[] {
    return describeTables(this.#database);
  }

  count(table: SqliteTable): number {
    return Number(allRows(this.#database, `select count(*) as rows from ${quote(table.name)}`)[0]?.rows);
  }

  /** All rows in key order, or those after the key `last`. */
  rows(table: SqliteTable, columns: Column[], last?: SQLInputValue[]): Generator<SqliteValue[]> {
    const key = table.key.map(quote).join(", ");
    const after = last ? `where (${key}) > (${last.map(() => "?").join(", ")})` : "";
    return readRows(this.#database, table.name, columns, `${after} order by ${key}`, last);
  }

  close(): void {
    this.#database.close();
    // Not earlier: closing a file releases all locks that the process has on it.
    closeSync(this.#file);
  }
}
