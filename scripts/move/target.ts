import pg from "pg";
import { type Column, type CopiedValue, internalTables, quote } from "#platform/copy/columns.ts";
import * as postgres from "#platform/copy/postgres-tables.ts";
import { connect } from "#platform/copy/snapshot.ts";
import type { SqliteTable } from "#platform/copy/sqlite-tables.ts";
import { unfinishedMove } from "#platform/database/migrate.ts";
import { isSiteRunning, newDatabaseCommands } from "../postgres-database.ts";
import { MoveError } from "./options.ts";

/** A table's progress: `last` is the key of its last copied row, as JSON. */
export type Progress = { rows: number; last: string | null };

const lockId = 0x696e6b73;
const progressTable = "move_progress";
/** Events are for current listeners only; the moved site begins its own log. */
const ignoredTables = [...internalTables, progressTable];

type Connection = Awaited<ReturnType<typeof connect>>;

/** The target database, through one connection. */
export class Target {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @throws MoveError when it can't be reached or another move into it is running. */
  static async open(url: string): Promise<Target> {
    const connection = await connect(url, "inkstead move").catch(({ message, code }: Error & { code?: string }) => {
      throw new MoveError(`DATABASE_URL, or --to, can't be opened: ${message || code}.`);
    });
    const target = new Target(connection);
    const [row] = await target.#query("select pg_try_advisory_lock($1) as locked", [lockId]);
    if (row?.locked === "t") return target;
    await target.close();
    throw new MoveError("Another move into this database is running.");
  }

  /** All tables except those of extensions. */
  tableNames(): Promise<string[]> {
    return postgres.tableNames(this.#query);
  }

  /** @throws MoveError */
  async refuseRunningSite(): Promise<void> {
    if (await isSiteRunning(this.#query)) throw new MoveError("A site on the database to move to is running. Stop it first.");
  }

  /** For a message. */
  newDatabaseCommands(): Promise<string> {
    return newDatabaseCommands(this.#query);
  }

  /** The site's tables that have rows. */
  async nonEmptyTables(): Promise<string[]> {
    const names = (await this.tableNames()).filter((name) => !ignoredTables.includes(name));
    const nonEmptyTables: string[] = [];
    for (const name of names) if ((await this.#query(`select from ${quote(name)} limit 1`)).length > 0) nonEmptyTables.push(name);
    return nonEmptyTables;
  }

  async empty(): Promise<void> {
    const names = (await this.tableNames()).filter((name) => !ignoredTables.includes(name));
    await this.transaction(async () => {
      if (names.length > 0) await this.#query(`truncate ${names.map(quote).join(", ")} restart identity`);
      await this.#end();
    });
  }

  /** The source of an unfinished move, or undefined. */
  async unfinished(): Promise<string | undefined> {
    if (!(await this.tableNames()).includes(progressTable)) return undefined;
    return (await this.#query(`select last from ${progressTable} where part = 'source'`))[0]?.last ?? undefined;
  }

  async begin(fingerprint: string): Promise<void> {
    await this.transaction(async () => {
      await this.#query(`create table ${progressTable} (part text primary key, copied bigint not null, last text)`);
      await this.#query(`insert into ${progressTable} values ('source', 0, $1)`, [fingerprint]);
      await this.#query("insert into migrations (name, timestamp) values ($1, now()::text)", [unfinishedMove]);
      await postgres.setFastUpdate(this.#query, true);
    });
  }

  async finish(): Promise<void> {
    await postgres.setFastUpdate(this.#query, false);
    await this.transaction(() => this.#end());
  }

  async #end(): Promise<void> {
    await this.#query(`drop table if exists ${progressTable}`);
    await this.#query("delete from migrations where name = $1", [unfinishedMove]);
  }

  async progress(part: string): Promise<Progress> {
    const [row] = await this.#query(`select copied, last from ${progressTable} where part = $1`, [part]);
    return { rows: Number(row?.copied ?? 0), last: row?.last ?? null };
  }

  async setProgress(part: string, { rows, last }: Progress): Promise<void> {
    await this.#query(
      `insert into ${progressTable} values ($1, $2, $3) on conflict (part) do update set copied = excluded.copied, last = excluded.last`,
      [part, rows, last],
    );
  }

  /** A table's columns with their types, except computed ones. */
  columns(table: string): Promise<Column[]> {
    return postgres.columnsOf(this.#query, table);
  }

  insert(table: string, columns: Column[], rows: CopiedValue[][]): Promise<void> {
    return postgres.insertRows(this.#query, table, columns, rows);
  }

  async *rows(table: string, columns: Column[]): AsyncGenerator<CopiedValue[]> {
    await this.#query("begin read only");
    try {
      yield* postgres.readRows(this.#query, table, columns);
    } finally {
      await this.#query("rollback");
    }
  }

  /** Sequences continue after the highest copied number. */
  resetSequences(tables: SqliteTable[]): Promise<void> {
    return postgres.resetSequences(this.#query, tables);
  }

  /** Updates the planner's statistics of tables that were empty. */
  async analyze(): Promise<void> {
    await this.#query("analyze");
  }

  async transaction(work: () => Promise<void>): Promise<void> {
    await this.#query("begin");
    try {
      await work();
      await this.#query("commit");
    } catch (error) {
      await this.#query("rollback").catch(() => {});
      throw error;
    }
  }

  readonly #query: postgres.RunQuery = (sql, parameters) =>
    this.#connection.query(sql, parameters).catch((error) => {
      throw error instanceof pg.DatabaseError && !error.code?.startsWith("57P") ? error : unreachable(error);
    });

  close(): Promise<void> {
    return this.#connection.close();
  }
}

function unreachable(error: Error): MoveError {
  return new MoveError(`The database stopped answering (${error.message}). Run the same command again to continue.`);
}
