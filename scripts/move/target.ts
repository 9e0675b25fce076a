import pg from "pg";
import { type Canonical, type Column, type ColumnType, fromPostgres } from "./columns.ts";
import { MoveError } from "./options.ts";
import { quote, type SourceTable } from "./source.ts";

/** How far a table has been copied: `last` is the key of its last row, as JSON. */
export type Progress = { rows: number; last: string | null };

const lockNumber = 0x696e6b73;
const progressTable = "move_progress";
/** Events are for those who listen now; the moved site begins its own log. */
const ownTables = ["migrations", "migrations_lock", "events", progressTable];
const rowsPerFetch = 1000;
const knownTypes = ["text", "bigint", "integer", "boolean", "timestamp with time zone", "double precision", "bytea"];

/** Everything as the text that the server sends. */
const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

/** The PostgreSQL database that the site moves into, through one connection. */
export class Target {
  readonly #client: pg.Client;
  #lost: Error | undefined;

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on("error", (error) => {
      this.#lost = error;
    });
  }

  /** @throws MoveError when it can't be reached, or another move into it is under way. */
  static async open(url: string): Promise<Target> {
    const options = { connectionString: url, application_name: "inkstead move", types, connectionTimeoutMillis: 10_000 };
    const client = new pg.Client({ ...options, options: "-c timezone=UTC" });
    const target = new Target(client);
    try {
      await client.connect();
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      throw new MoveError(`--to can't be opened: ${message || code}.`);
    }
    const [answer] = await target.#all("select pg_try_advisory_lock($1) as taken", [lockNumber]);
    if (answer?.taken === "t") return target;
    await target.close();
    throw new MoveError("Another move into this database is under way.");
  }

  /** The names of all tables in it but those of extensions. */
  async tableNames(): Promise<string[]> {
    const rows = await this.#all(
      `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e') order by 1`,
    );
    return rows.map((row) => row.name as string);
  }

  async migrations(): Promise<string[]> {
    return (await this.#all("select name from migrations order by name")).map((row) => row.name as string);
  }

  /** The tables that hold rows, of those that the site uses. */
  async filled(): Promise<string[]> {
    const names = (await this.tableNames()).filter((name) => !ownTables.includes(name));
    const filled: string[] = [];
    for (const name of names) if ((await this.#all(`select from ${quote(name)} limit 1`)).length > 0) filled.push(name);
    return filled;
  }

  async empty(): Promise<void> {
    const names = (await this.tableNames()).filter((name) => !ownTables.includes(name));
    if (names.length > 0) await this.#run(`truncate ${names.map(quote).join(", ")} restart identity`);
    await this.#run(`drop table if exists ${progressTable}`);
  }

  /** Which data an unfinished move copies, or undefined when there is none. */
  async unfinished(): Promise<string | undefined> {
    if (!(await this.tableNames()).includes(progressTable)) return undefined;
    return (await this.#all(`select last from ${progressTable} where part = 'source'`))[0]?.last ?? undefined;
  }

  async begin(fingerprint: string): Promise<void> {
    await this.transaction(async () => {
      await this.#run(`create table ${progressTable} (part text primary key, copied bigint not null, last text)`);
      await this.#run(`insert into ${progressTable} values ('source', 0, $1)`, [fingerprint]);
    });
  }

  /** The move's own table has done its work. */
  async finish(): Promise<void> {
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

  /** The columns of a table with their types, but for those that the database computes. */
  async columns(table: string): Promise<Column[]> {
    const rows = await this.#all(
      `select column_name as name, data_type as type from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    );
    for (const { name, type } of rows)
      if (!knownTypes.includes(type ?? "")) throw new Error(`${table}.${name} is of type ${type}, which the move doesn't know yet.`);
    return rows.map((row) => ({ name: row.name as string, type: row.type as ColumnType }));
  }

  async insert(table: string, columns: Column[], rows: Canonical[][]): Promise<void> {
    const names = columns.map((column) => quote(column.name)).join(", ");
    const arrays = columns.map((column, index) => `$${index + 1}::${column.type}[]`).join(", ");
    const values = columns.map((_, index) => rows.map((row) => row[index]));
    await this.#run(`insert into ${quote(table)} (${names}) select * from unnest(${arrays})`, values);
  }

  /** Every row of a table, in no particular order. */
  async *rows(table: string, columns: Column[]): AsyncGenerator<Canonical[]> {
    const names = columns.map((column) => quote(column.name)).join(", ");
    await this.#run("begin read only");
    try {
      await this.#run(`declare everything no scroll cursor for select ${names} from ${quote(table)}`);
      while (true) {
        const rows = await this.#all(`fetch ${rowsPerFetch} from everything`);
        for (const row of rows) yield columns.map(({ name, type }) => fromPostgres(type, row[name] ?? null));
        if (rows.length < rowsPerFetch) return;
      }
    } finally {
      await this.#run("rollback");
    }
  }

  /** Numbers that the database hands out go on after the highest one copied. */
  async resetSequences(tables: SourceTable[]): Promise<void> {
    for (const { name, columns } of tables) {
      for (const column of columns) {
        const [row] = await this.#all("select pg_get_serial_sequence($1, $2) as sequence", [quote(name), column]);
        if (!row?.sequence) continue;
        const highest = `(select max(${quote(column)}) from ${quote(name)})`;
        await this.#run(`select setval($1, coalesce(${highest}, 1), ${highest} is not null)`, [row.sequence]);
      }
    }
  }

  /** What the planner needs to know of tables that were empty a moment ago. */
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
  return new MoveError(`The database stopped answering (${error.message}). The same command goes on where this one stopped.`);
}
