import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import pg from "pg";
import { seconds } from "#platform/time.ts";
import { DatabaseUnreachable, isConnectionFault } from "./errors.ts";
import { DatabaseLoad } from "./load.ts";
import { storable } from "./parameters.ts";
import { assertOutsideTransaction } from "./transaction-guard.ts";
import { Visible } from "./visible.ts";

export type PostgresOptions = {
  /** Connections at most. */
  connections: number;
  /** Milliseconds after which a statement is given up; 0 for a job that may take as long as it likes. */
  statementTimeout?: number;
  onLost?: (error: Error) => void;
  visible?: Visible;
  load?: DatabaseLoad;
};

/** Kysely on node-postgres. */
export function postgresDialect(url: string, options: PostgresOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () =>
      new PostgresDriver(() => openPool(url, options), options.visible ?? new Visible(), options.load ?? new DatabaseLoad()),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function openPool(url: string, { connections, statementTimeout = seconds(30), onLost }: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "inkstead",
    max: connections,
    types,
    connectionTimeoutMillis: seconds(5),
    idleTimeoutMillis: seconds(60),
    keepAlive: true,
    keepAliveInitialDelayMillis: seconds(10),
    // The server gives up first; should its answer never arrive, we do. Statements that answer someone are so short that
    // another process to help with one takes longer to start than it saves.
    ...(statementTimeout > 0 && {
      options: "-c max_parallel_workers_per_gather=0",
      statement_timeout: statementTimeout,
      query_timeout: statementTimeout + seconds(5),
      idle_in_transaction_session_timeout: 2 * statementTimeout,
    }),
  });
  pool.on("error", (error) => onLost?.(error));
  // Between two statements of a transaction nobody else listens, and an error that nobody hears ends the process.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};

class PostgresDriver implements Driver {
  readonly #open: () => pg.Pool;
  readonly #visible: Visible;
  readonly #load: DatabaseLoad;
  #pool!: pg.Pool;

  constructor(open: () => pg.Pool, visible: Visible, load: DatabaseLoad) {
    this.#visible = visible;
    this.#load = load;
    this.#open = open;
  }

  async init() {
    this.#pool = this.#open();
  }

  async acquireConnection(): Promise<Connection> {
    assertOutsideTransaction();
    try {
      const client = await this.#load.wait(() => this.#pool.connect());
      return new Connection(client, this.#visible, this.#load);
    } catch (error) {
      throw new DatabaseUnreachable(error);
    }
  }

  async releaseConnection(connection: DatabaseConnection) {
    (connection as Connection).release();
  }

  async beginTransaction(connection: DatabaseConnection) {
    await (connection as Connection).begin();
  }

  async commitTransaction(connection: DatabaseConnection) {
    const { command } = await (connection as Connection).commit();
    if (command === "ROLLBACK") throw new Error("Nothing was saved: a statement of the transaction had failed and the failure was caught.");
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await (connection as Connection).rollback().catch(() => (connection as Connection).discard());
  }

  async savepoint(connection: DatabaseConnection, name: string) {
    await (connection as Connection).run(`savepoint "${name}"`);
  }
  async rollbackToSavepoint(connection: DatabaseConnection, name: string) {
    await (connection as Connection).run(`rollback to "${name}"`);
  }
  async releaseSavepoint(connection: DatabaseConnection, name: string) {
    await (connection as Connection).run(`release "${name}"`);
  }

  async destroy() {
    await this.#pool.end();
  }
}

const changing = new Set(["INSERT", "UPDATE", "DELETE"]);

class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #visible: Visible;
  readonly #load: DatabaseLoad;
  #discarded = false;
  #inTransaction = false;
  #mayHide = false;

  constructor(client: pg.PoolClient, visible: Visible, load: DatabaseLoad) {
    this.#load = load;
    this.#client = client;
    this.#visible = visible;
  }

  async begin(): Promise<void> {
    await this.run("begin");
    this.#inTransaction = true;
  }

  async rollback(): Promise<void> {
    await this.run("rollback");
    this.#mayHide = false;
    this.#inTransaction = false;
  }

  async commit(): Promise<pg.QueryResult> {
    try {
      const answer = await this.run("commit");
      this.#load.writes++;
      return answer;
    } finally {
      // A commit that was not answered may have happened.
      if (this.#mayHide) this.#visible.changed();
      this.#mayHide = false;
      this.#inTransaction = false;
    }
  }

  async run(sql: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(sql, storable(parameters));
    } catch (error) {
      if (!isConnectionFault(error)) throw error;
      this.discard();
      throw new DatabaseUnreachable(error);
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (Visible.mayHide(query.sql)) this.#mayHide = true;
    const { command, rowCount, rows } = await this.run(query.sql, query.parameters).finally(() => this.#afterSingle());
    if (!this.#inTransaction && changing.has(command)) this.#load.writes++;
    return { rows, ...(changing.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  #afterSingle(): void {
    if (this.#inTransaction || !this.#mayHide) return;
    this.#visible.changed();
    this.#mayHide = false;
  }

  discard() {
    this.#discarded = true;
  }

  release() {
    this.#client.release(this.#discarded);
  }
}
