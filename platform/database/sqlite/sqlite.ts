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
import { CacheInvalidation } from "#platform/database/cache-invalidation.ts";
import type { DatabaseLoad } from "#platform/database/load.ts";
import { assertOutsideTransaction } from "#platform/database/transaction-guard.ts";
import { hours, minutes } from "#platform/time.ts";
import { GroupCommit, type GroupedTransaction, type GroupLimits } from "./group-commit.ts";
import { SqliteConnection, type Statement } from "./sqlite-connection.ts";
import { type MaintenanceIntervals, startMaintenance, walLimitBytes, warnMaintenanceFailed } from "./sqlite-maintenance.ts";

export type SqliteOptions = GroupLimits &
  MaintenanceIntervals & { keepTempInMemory: boolean; cacheInvalidation?: CacheInvalidation; load?: DatabaseLoad };

const pageBytes = 4096;
const defaults: SqliteOptions = {
  keepTempInMemory: true,
  maxGroupMs: 10,
  lockTimeoutMs: 5000,
  optimizeIntervalMs: hours(1),
  shrinkWalIntervalMs: minutes(1),
};

/** Kysely on node:sqlite: reads outside transactions never wait, writers take turns and share a COMMIT. */
export function sqliteDialect(file: string, options: Partial<SqliteOptions> = {}): Dialect {
  return {
    createAdapter: () => new QueueingAdapter(),
    createDriver: () => new SqliteDriver(file, { ...defaults, ...options }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Without this, Kysely puts its own mutex in front of the driver, which bypasses the transaction guard. */
class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
  override get supportsTransactionalDdl() {
    return true;
  }
}

// 0x10000: includes tables that this connection never read, for the reader.
const optimize = "pragma optimize(0x10002)";
/** With statistics of a search index's shadow tables, taken while it is empty, each change would scan them. */
const deleteShadowStatistics =
  "delete from sqlite_stat1 where tbl in (select name from pragma_table_list where type = 'shadow'); analyze sqlite_schema";

function analyze(writer: SqliteConnection): void {
  writer.exec(optimize);
  const hasStatistics = writer.command("select 1 from sqlite_schema where name = 'sqlite_stat1'").rows.length > 0;
  if (hasStatistics) writer.exec(deleteShadowStatistics);
}

class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #options: SqliteOptions;
  #writer!: SqliteConnection;
  #group!: GroupCommit;
  #reader!: SqliteConnection;
  #readers = 0;
  #stopMaintenance!: () => void;
  readonly #cacheInvalidation: CacheInvalidation;

  constructor(file: string, options: SqliteOptions) {
    this.#file = file;
    this.#options = options;
    this.#cacheInvalidation = options.cacheInvalidation ?? new CacheInvalidation();
  }

  /** FULL: acknowledged writes survive a power cut. secure_delete: docs/decisions/0016-account-deletion-and-export.md. */
  async init() {
    this.#writer = new SqliteConnection(this.#file, { readOnly: false, timeout: this.#options.lockTimeoutMs });
    this.#writer.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on");
    this.#writer.exec(`pragma journal_size_limit = ${walLimitBytes}`);
    this.#writer.exec(`pragma wal_autocheckpoint = ${walLimitBytes / pageBytes}; pragma cache_size = -32768`);
    // The statement journal: as a file it costs as much as the WAL.
    if (this.#options.keepTempInMemory) this.#writer.exec("pragma temp_store = memory");
    analyze(this.#writer);
    this.#writer.exec("pragma busy_timeout = 0"); // From here on GroupCommit retries, without blocking the process.
    this.#group = new GroupCommit(this.#writer, this.#options, this.#cacheInvalidation, this.#options.load);
    this.#cacheInvalidation.trackOtherProcesses(() => String(this.#commitsElsewhere()));
    this.#cacheInvalidation.trackSessions(() => `${this.#commitsElsewhere()}/${this.#group.sessionCommits}`);
    this.#reader = this.#openReader();
    this.#stopMaintenance = startMaintenance(
      this.#file,
      { optimize: () => this.#optimize(), shrinkWal: () => this.#shrinkWal() },
      this.#options,
    );
  }

  /** 64 MB of page cache hold the upper levels of the B-trees of a site with a million stories. */
  #openReader() {
    const reader = new SqliteConnection(this.#file, { readOnly: true, timeout: this.#options.lockTimeoutMs });
    reader.exec("pragma cache_size = -65536");
    const number = ++this.#readers;
    reader.define("reader_number", () => number);
    reader.define("content_version", () => `${this.#commitsElsewhere()}/${this.#group.contentCommits}`);
    return reader;
  }

  /** Changes with each commit of another process. */
  #commitsElsewhere(): unknown {
    return this.#writer.command("pragma data_version").rows[0]?.data_version;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    assertOutsideTransaction();
    return new Connection(this);
  }
  async releaseConnection() {}

  read(query: CompiledQuery) {
    return this.#reader.run(query);
  }

  async write(query: CompiledQuery) {
    const outside = /^\s*(pragma|vacuum|attach|detach)\b/i.test(query.sql);
    return outside ? this.#group.runOutside(() => this.#writer.run(query)) : this.#group.runSingle(query);
  }

  inTransaction(transaction: GroupedTransaction, query: Statement) {
    return this.#group.run(transaction, query);
  }

  async beginTransaction(connection: DatabaseConnection) {
    (connection as Connection).transaction = await this.#group.begin();
  }

  async commitTransaction(connection: DatabaseConnection) {
    const { transaction } = connection as Connection;
    if (transaction) await this.#group.commit(transaction);
    (connection as Connection).transaction = undefined;
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    const { transaction } = connection as Connection;
    (connection as Connection).transaction = undefined;
    if (transaction) await this.#group.rollback(transaction);
  }

  async #optimize() {
    await this.#group.runOutside(() => analyze(this.#writer));
    const old = this.#reader;
    this.#reader = this.#openReader();
    old.close();
  }

  /** Gives up at once if there is a reader. */
  async #shrinkWal() {
    await this.#group.runOutside(() => this.#writer.command("pragma wal_checkpoint(truncate)"));
  }

  async destroy() {
    this.#stopMaintenance();
    await this.#group.runOutside(() => analyze(this.#writer)).catch(warnMaintenanceFailed);
    this.#reader.close();
    this.#writer.close();
  }
}

class Connection implements DatabaseConnection {
  transaction: GroupedTransaction | undefined;
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return (await this.#execute(query)) as QueryResult<R>;
  }

  #execute(query: CompiledQuery) {
    if (this.transaction) return this.#driver.inTransaction(this.transaction, query);
    const reads = SelectQueryNode.is(query.query) || /^\s*(select|explain)\b/i.test(query.sql);
    return reads ? this.#driver.read(query) : this.#driver.write(query);
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}
