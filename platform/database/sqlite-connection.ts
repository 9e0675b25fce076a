import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { CompiledQuery, QueryResult } from "kysely";
import { Bounded } from "../memory.ts";
import { storable } from "./parameters.ts";

const statementsKept = 500;

export type Statement = Pick<CompiledQuery, "sql" | "parameters">;
type Row = Record<string, unknown>;
type PreparedStatement = { statement: StatementSync; returnsRows: boolean; booleans: string[] };
type Options = {
  readOnly: boolean;
  /** For how long a statement may hold up the whole process while another one has the lock it needs. */
  timeout: number;
};

/** One SQLite connection with its prepared statements. Columns declared `boolean` come back as booleans. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  #prepared = new Bounded<string, PreparedStatement>({ entries: statementsKept });

  constructor(file: string, options: Options) {
    this.#database = new DatabaseSync(file, options);
  }

  /** A function that statements may call without arguments. */
  define(name: string, answer: () => number | string): void {
    this.#database.function(name, answer);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Several statements without parameters or results, prepared for this once. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** One statement without parameters. */
  command(sql: string): QueryResult<Row> {
    return this.run({ sql, parameters: [] });
  }

  run(query: Statement): QueryResult<Row> {
    const { statement, returnsRows, booleans } = this.#prepare(query.sql);
    const parameters = storable(query.parameters) as SQLInputValue[];
    if (!returnsRows) {
      const { lastInsertRowid, changes } = statement.run(...parameters);
      return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) };
    }
    const rows = statement.all(...parameters) as Row[];
    for (const row of rows) for (const name of booleans) if (row[name] !== null) row[name] = row[name] === 1;
    return { rows };
  }

  close(): void {
    this.#database.close();
  }

  /** The most recently used statements stay prepared. */
  #prepare(sql: string): PreparedStatement {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    const columns = statement.columns();
    const booleans = columns.filter((column) => column.type?.toLowerCase() === "boolean").map((column) => column.name);
    const prepared = { statement, returnsRows: columns.length > 0, booleans };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}
