import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { storable } from "./parameters.ts";
import { assertOutsideTransaction } from "./transaction-guard.ts";

const statementsKept = 500;

/**
 * Kysely on node:sqlite. Reads outside transactions have a connection of their own and never wait for a writer; writers
 * queue up here, because SQLite has one at a time.
 */
export function sqliteDialect(file: string): Dialect {
  return {
    createAdapter: () => new QueueingAdapter(),
    createDriver: () => new SqliteDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely would otherwise put a mutex of its own before the driver, and the guard would never be asked. */
class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
  override get supportsTransactionalDdl() {
    return true;
  }
}

type Row = Record<string, unknown>;
type Prepared = { statement: StatementSync; returnsRows: boolean; booleans: string[] };

/** One SQLite connection with its prepared statements. Columns declared `boolean` come back as booleans. */
class Handle {
  readonly database: DatabaseSync;
  #prepared = new Map<string, Prepared>();

  constructor(file: string, readOnly: boolean) {
    this.database = new DatabaseSync(file, { readOnly, timeout: 5000 });
  }

  run(query: CompiledQuery): QueryResult<Row> {
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

  /** The most recently used statements stay prepared. */
  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (prepared) this.#prepared.delete(sql);
    else {
      const statement = this.database.prepare(sql);
      const columns = statement.columns();
      const booleans = columns.filter((column) => column.type?.toLowerCase() === "boolean").map((column) => column.name);
      prepared = { statement, returnsRows: columns.length > 0, booleans };
    }
    this.#prepared.set(sql, prepared);
    if (this.#prepared.size > statementsKept) this.#prepared.delete(this.#prepared.keys().next().value as string);
    return prepared;
  }
}

class SqliteDriver implements Driver {
  readonly #file: string;
  #writer!: Handle;
  #reader!: Handle;
  #writing = false;
  #waiting: Array<() => void> = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** FULL: what was answered as saved survives a power cut. */
  async init() {
    this.#writer = new Handle(this.#file, false);
    this.#writer.database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
    this.#reader = new Handle(this.#file, true);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    assertOutsideTransaction();
    return new Connection(this);
  }
  async releaseConnection() {}

  read(query: CompiledQuery) {
    return this.#reader.run(query);
  }

  write(query: CompiledQuery) {
    return this.#writer.run(query);
  }

  /** A single statement outside any transaction. */
  async writeAlone(query: CompiledQuery) {
    await this.#takeTurn();
    try {
      return this.#writer.run(query);
    } finally {
      this.#endTurn();
    }
  }

  async beginTransaction(connection: DatabaseConnection) {
    await this.#takeTurn();
    try {
      this.#writer.database.exec("begin immediate");
    } catch (error) {
      this.#endTurn();
      throw error;
    }
    (connection as Connection).inTransaction = true;
  }

  async commitTransaction(connection: DatabaseConnection) {
    this.#end(connection, "commit");
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    if ((connection as Connection).inTransaction) this.#end(connection, "rollback");
  }

  #end(connection: DatabaseConnection, how: "commit" | "rollback") {
    try {
      this.#writer.database.exec(how);
    } finally {
      // A COMMIT that failed, on a full disk say, leaves the transaction open.
      if (this.#writer.database.isTransaction) this.#writer.database.exec("rollback");
      (connection as Connection).inTransaction = false;
      this.#endTurn();
    }
  }

  async savepoint(_connection: DatabaseConnection, name: string) {
    this.#writer.database.exec(`savepoint "${name}"`);
  }
  async rollbackToSavepoint(_connection: DatabaseConnection, name: string) {
    this.#writer.database.exec(`rollback to "${name}"`);
  }
  async releaseSavepoint(_connection: DatabaseConnection, name: string) {
    this.#writer.database.exec(`release "${name}"`);
  }

  async destroy() {
    this.#reader.database.close();
    this.#writer.database.exec("pragma optimize");
    this.#writer.database.close();
  }

  async #takeTurn() {
    if (this.#writing) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#writing = true;
  }

  #endTurn() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#writing = false;
  }
}

class Connection implements DatabaseConnection {
  inTransaction = false;
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return (await this.#execute(query)) as QueryResult<R>;
  }

  #execute(query: CompiledQuery) {
    if (this.inTransaction) return this.#driver.write(query);
    const reads = SelectQueryNode.is(query.query) || /^\s*select\b/i.test(query.sql);
    return reads ? this.#driver.read(query) : this.#driver.writeAlone(query);
  }

  /** Whole results only: nothing here reads more rows than a page shows. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}
