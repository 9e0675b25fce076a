import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { CompiledQuery, QueryResult } from "kysely";
import { replaceNul } from "#platform/database/parameters.ts";
import { BoundedMap } from "#platform/memory.ts";

const statementsKept = 500;

export type Statement = Pick<CompiledQuery, "sql" | "parameters">;
type Row = Record<string, unknown>;
type PreparedStatement = { statement: StatementSync; returnsRows: boolean; booleans: string[] };
type Options = {
  readOnly: boolean;
  timeout: number;
};

export class SqliteConnection {
  readonly #database: DatabaseSync;
  #prepared = new BoundedMap<string, PreparedStatement>({ entries: statementsKept });

  constructor(file: string, options: Options) {
    this.#database = new DatabaseSync(file, options);
  }

  define(name: string, answer: () => number | string): void {
    this.#database.function(name, answer);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  command(sql: string): QueryResult<Row> {
    return this.run({ sql, parameters: [] });
  }

  run(query: Statement): QueryResult<Row> {
    const { statement, returnsRows, booleans } = this.#prepare(query.sql);
    const parameters = replaceNul(query.parameters) as SQLInputValue[];
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
