import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { seconds } from "#platform/time.ts";
import { CacheInvalidation } from "./cache-invalidation.ts";
import { DatabaseUnreachable, isConnectionFailure } from "./errors.ts";
import { DatabaseLoad } from "./load.ts";
import { replaceNul } from "./parameters.ts";
import { assertOutsideTransaction } from "./transaction-guard.ts";

/** For every connection that may wait long: a server or network that is gone without a word is noticed within half a minute. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: seconds(10) };

export type PostgresOptions = {
  connections: number;
  /** Milliseconds, like `statementTimeout`. */
  connectTimeout?: number;
  statementTimeout?: number;
  onConnectionLost?: (error: Error) => void;
  cacheInvalidation?: CacheInvalidation;
  load?: DatabaseLoad;
};

export function postgresDialect(url: string, options: PostgresOptions): Dialect {
  const { cacheInvalidation = new CacheInvalidation(), load = new DatabaseLoad() } = options;
  return new PostgresDialect({ pool: async () => observePool(openPool(url, options), cacheInvalidation, load) });
}

function openPool(url: string, options: PostgresOptions): pg.Pool {
  const { connections, connectTimeout = seconds(5), statementTimeout = seconds(30), onConnectionLost } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "inkstead",
    max: connections,
    types,
    connectionTimeoutMillis: connectTimeout,
    idleTimeoutMillis: seconds(60),
    ...keepAlive,
    // The server's timeout fires first, ours if its answer is lost. Parallel workers take longer to start than our short queries run.
    ...(statementTimeout > 0 && {
      options: "-c max_parallel_workers_per_gather=0",
      statement_timeout: statementTimeout,
      query_timeout: statementTimeout + seconds(5),
      idle_in_transaction_session_timeout: 2 * statementTimeout,
    }),
  });
  pool.on("error", (error) => onConnectionLost?.(error));
  // Without a listener an error between two statements would end the process.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};

/** A pool for Kysely that recognizes outages, measures the load and notices what may hide public content. */
function observePool(pool: pg.Pool, cacheInvalidation: CacheInvalidation, load: DatabaseLoad): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      assertOutsideTransaction();
      try {
        const client = new ObservedClient(await load.wait(() => pool.connect()), cacheInvalidation, load);
        // Kysely's other overload of `query` is for cursors, which we don't use.
        return client as unknown as PostgresPoolClient;
      } catch (error) {
        throw new DatabaseUnreachable(error);
      }
    },
  };
}

const writeCommands = new Set(["INSERT", "UPDATE", "DELETE"]);

const caughtFailureText = "Nothing was saved: a statement of the transaction failed and its error was caught.";

class ObservedClient {
  readonly #client: pg.PoolClient;
  readonly #cacheInvalidation: CacheInvalidation;
  readonly #load: DatabaseLoad;
  #isBroken = false;
  #inTransaction = false;
  #mayHide = false;

  constructor(client: pg.PoolClient, cacheInvalidation: CacheInvalidation, load: DatabaseLoad) {
    this.#client = client;
    this.#cacheInvalidation = cacheInvalidation;
    this.#load = load;
  }

  async query(sql: string, parameters: readonly unknown[] = []): Promise<Pick<pg.QueryResult, "command" | "rowCount" | "rows">> {
    if (CacheInvalidation.mayHideContent(sql)) this.#mayHide = true;
    try {
      const result = await this.#client.query(sql, replaceNul(parameters));
      if (sql === "commit" && result.command === "ROLLBACK") throw new Error(caughtFailureText);
      if (sql === "begin") this.#inTransaction = true;
      if (sql === "commit" || (!this.#inTransaction && writeCommands.has(result.command))) this.#load.writes++;
      return result;
    } catch (error) {
      if (!isConnectionFailure(error)) throw error;
      this.#isBroken = true;
      // Report the error that caused the rollback instead.
      if (sql === "rollback") return { command: "ROLLBACK", rowCount: 0, rows: [] };
      throw new DatabaseUnreachable(error);
    } finally {
      if (sql === "commit" || sql === "rollback") this.#inTransaction = false;
      if (sql === "rollback") this.#mayHide = false;
      if (!this.#inTransaction) this.#publish();
    }
  }

  /** Call it also after a commit without an answer, which may have succeeded. */
  #publish(): void {
    if (this.#mayHide) this.#cacheInvalidation.changed();
    this.#mayHide = false;
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }
}
