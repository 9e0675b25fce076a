import pg from "pg";
import { type Column, type CopiedValue, internalTables, quote } from "#platform/copy/columns.ts";
import {
  asText,
  columnsOf,
  copyOptions,
  insertRows,
  readRows,
  resetSequences,
  setFastUpdate,
  tableNames,
} from "#platform/copy/postgres-tables.ts";
import { keepAlive } from "#platform/database/postgres.ts";
import { MoveError } from "./options.ts";
import type { SourceTable } from "./source.ts";

/** A table's progress: `last` is the key of its last copied row, as JSON. */
export type Progress = { rows: number; last: string | null };

const lockId = 0x696e6b73;
const progressTable = "move_progress";
/** Events are for current listeners only; the moved site begins its own log. */
const ignoredTables = [...internalTables, progressTable];

/** The target database, through one connection. */
export class Target {
  readonly #client: pg.Client;
  #lost: Error | undefined;

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on("error", (error) => {
      this.#lost = error;
    });
  }

  /** @throws MoveError when it can't be reached or another move into it is running. */
  static async open(url: string): Promise<Target> {
    const options = { connectionString: url, application_name: "inkstead move", types: asText, connectionTimeoutMillis: 10_000 };
    const client = new pg.Client({ ...options, ...keepAlive, options: copyOptions });
    const target = new Target(client);
    try {
      await client.connect();
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      throw new MoveError(`DATABASE_URL, or --to, can't be opened: ${message || code}.`);
    }
    const [row] = await target.#all("select pg_try_advisory_lock($1) as locked", [lockId]);
    if (row?.locked === "t") return target;
    await target.close();
    throw new MoveError("Another move into this database is running.");
  }

  /** All tables except those of extensions. */
  tableNames(): Promise<string[]> {
    return tableNames(this.#query);
  }

  async migrations(): Promise<string[]> {
    return (await this.#all("select name from migrations order by name")).map((row) => row.name as string);
  }

  /** The site's tables that have rows. */
  async nonEmptyTables(): Promise<string[]> {
    const names = (await this.tableNames()).filter((name) => !ignoredTables.includes(name));
    const nonEmptyTables: string[] = [];
    for (const name of names) if ((await this.#all(`select from ${quote(name)} limit 1`)).length > 0) nonEmptyTables.push(name);
    return nonEmptyTables;
  }

  async empty(): Promise<void> {
    const names = (await this.tableNames()).filter((name) => !ignoredTables.includes(name));
    if (names.length > 0) await this.#run(`truncate ${names.map(quote).join(", ")} restart identity`);
    await this.#run(`drop table if exists ${progressTable}`);
  }

  /** The source of an unfinished move, or undefined. */
  async unfinished(): Promise<string | undefined> {
    if (!(await this.tableNames()).includes(progressTable)) return undefined;
    return (await this.#all(`select last from ${progressTable} where part = 'source'`))[0]?.last ?? undefined;
  }

  async begin(fingerprint: string): Promise<void> {
    await this.transaction(async () => {
      await this.#run(`create table ${progressTable} (part text primary key, copied bigint not null, last text)`);
      await this.#run(`insert into ${progressTable} values ('source', 0, $1)`, [fingerprint]);
      await setFastUpdate(this.#query, true);
    });
  }

  async finish(): Promise<void> {
    await setFastUpdate(this.#query, false);
    await this.#run(`drop table ${progressTable}`);
  }

  async progress(part: string): Promise<Progress> {
    const [row] = await this.#all(`select copied, last from ${progressTable} where part = $1`, [part]);
    return { rows: Number(row?.copied ?? 0), last: row?.last ?? null };
  }

  async setProgress(part: string, { rows, last }: Progress): Promise<void> {
    await this.#run(
      `insert into ${progressTable} values ($1, $2, $3) on conflict (part) do update set copied = excluded.copied, last = excluded.last`,
      [part, rows, last],
    );
  }

  /** A table's columns with their types, except computed ones. */
  columns(table: string): Promise<Column[]> {
    return columnsOf(this.#query, table);
  }

  insert(table: string, columns: Column[], rows: CopiedValue[][]): Promise<void> {
    return insertRows(this.#query, table, columns, rows);
  }

  async *rows(table: string, columns: Column[]): AsyncGenerator<CopiedValue[]> {
    await this.#run("begin read only");
    try {
      yield* readRows(this.#query, table, columns);
    } finally {
      await this.#run("rollback");
    }
  }

  /** Sequences continue after the highest copied number. */
  resetSequences(tables: SourceTable[]): Promise<void> {
    return resetSequences(this.#query, tables);
  }

  /** Updates the planner's statistics of tables that were empty. */
  async analyze(): Promise<void> {
    await this.#run("analyze");
  }

  async transaction(work: () => Promise<void>): Promise<void> {
    await this.#run("begin");
    try {
      await work();
      await this.#run("commit");
    } catch (error) {
      await this.#run("rollback").catch(() => {});
      throw error;
    }
  }

  readonly #query = (sql: string, parameters?: unknown[]) => this.#all(sql, parameters);

  async #all(sql: string, parameters: unknown[] = []): Promise<Record<string, string | null>[]> {
    if (this.#lost) throw unreachable(this.#lost);
    try {
      return (await this.#client.query(sql, parameters)).rows;
    } catch (error) {
      throw error instanceof pg.DatabaseError && !error.code?.startsWith("57P") ? error : unreachable(error as Error);
    }
  }

  async #run(sql: string, parameters: unknown[] = []): Promise<void> {
    await this.#all(sql, parameters);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}

function unreachable(error: Error): MoveError {
  return new MoveError(`The database stopped answering (${error.message}). Run the same command again to continue.`);
}
