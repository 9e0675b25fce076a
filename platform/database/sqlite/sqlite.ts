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
import type { DatabaseLoad } from "#platform/database/load.ts";
import { assertOutsideTransaction } from "#platform/database/transaction-guard.ts";
import { Visibility } from "#platform/database/visibility.ts";
import { hours, minutes } from "#platform/time.ts";
import { GroupCommit, type Limits, type Member } from "./group-commit.ts";
import { SqliteConnection, type Statement } from "./sqlite-connection.ts";
import { logLimitBytes, startUpkeep, type UpkeepIntervals, warn } from "./sqlite-upkeep.ts";

export type SqliteOptions = Limits & UpkeepIntervals & { undoInMemory: boolean; visibility?: Visibility; load?: DatabaseLoad };

const pageBytes = 4096;
const usual: SqliteOptions = {
  undoInMemory: true,
  groupFor: 10,
  lockTimeoutMs: 5000,
  optimizeIntervalMs: hours(1),
  shrinkLogIntervalMs: minutes(1),
};

/** Kysely on node:sqlite: reads outside transactions never wait, writers take turns and share a COMMIT. */
export function sqliteDialect(file: string, options: Partial<SqliteOptions> = {}): Dialect {
  return {
    createAdapter: () => new QueueingAdapter(),
    createDriver: () => new SqliteDriver(file, { ...usual, ...options }),
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

// Tables that this connection never read count too: the reader needs them.
const optimize = "pragma optimize(0x10002)";
/** What a search index keeps for itself, measured while it is empty, would be read from end to end at each change of it. */
const forgetShadows =
  "delete from sqlite_stat1 where tbl in (select name from pragma_table_list where type = 'shadow'); analyze sqlite_schema";

function measure(writer: SqliteConnection): void {
  writer.exec(optimize);
  const measured = writer.command("select 1 from sqlite_schema where name = 'sqlite_stat1'").rows.length > 0;
  if (measured) writer.exec(forgetShadows);
}

class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #options: SqliteOptions;
  #writer!: SqliteConnection;
  #group!: GroupCommit;
  #reader!: SqliteConnection;
  #readers = 0;
  #endUpkeep!: () => void;
  readonly #visibility: Visibility;

  constructor(file: string, options: SqliteOptions) {
    this.#file = file;
    this.#options = options;
    this.#visibility = options.visibility ?? new Visibility();
  }

  /** FULL: what was answered as saved survives a power cut. And what is deleted is overwritten: docs/decisions/0016-account-deletion-and-export.md. */
  async init() {
    this.#writer = new SqliteConnection(this.#file, { readOnly: false, timeout: this.#options.lockTimeoutMs });
    this.#writer.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on");
    this.#writer.exec(`pragma journal_size_limit = ${logLimitBytes}`);
    this.#writer.exec(`pragma wal_autocheckpoint = ${logLimitBytes / pageBytes}; pragma cache_size = -32768`);
    // What a statement may have to undo is kept aside for its duration, page by page: a file for it costs as much as the log.
    if (this.#options.undoInMemory) this.#writer.exec("pragma temp_store = memory");
    measure(this.#writer);
    this.#writer.exec("pragma busy_timeout = 0"); // From here on the group waits, and the process goes on meanwhile.
    this.#group = new GroupCommit(this.#writer, this.#options, this.#visibility, this.#options.load);
    this.#visibility.trackOthers(() => String(this.#commitsElsewhere()));
    this.#visibility.trackSessions(() => `${this.#commitsElsewhere()}/${this.#group.sessionCommits}`);
    this.#reader = this.#openReader();
    this.#endUpkeep = startUpkeep(this.#file, { optimize: () => this.#optimize(), shrinkLog: () => this.#shrinkLog() }, this.#options);
  }

  /** With 64 MB for pages: the upper levels of the trees of a site of a million stories, which every query goes through. */
  #openReader() {
    const reader = new SqliteConnection(this.#file, { readOnly: true, timeout: this.#options.lockTimeoutMs });
    reader.exec("pragma cache_size = -65536");
    const number = ++this.#readers;
    reader.define("reader_number", () => number);
    reader.define("content_version", () => `${this.#commitsElsewhere()}/${this.#group.contentCommits}`);
    return reader;
  }

  /** A number that changes with each of them. */
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
    return outside ? this.#group.outside(() => this.#writer.run(query)) : this.#group.single(query);
  }

  inTransaction(member: Member, query: Statement) {
    return this.#group.run(member, query);
  }

  async beginTransaction(connection: DatabaseConnection) {
    (connection as Connection).member = await this.#group.begin();
  }

  async commitTransaction(connection: DatabaseConnection) {
    const { member } = connection as Connection;
    if (member) await this.#group.commit(member);
    (connection as Connection).member = undefined;
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    const { member } = connection as Connection;
    (connection as Connection).member = undefined;
    if (member) await this.#group.rollback(member);
  }

  async savepoint(connection: DatabaseConnection, name: string) {
    this.#inTransaction(connection, `savepoint "${name}"`);
  }
  async rollbackToSavepoint(connection: DatabaseConnection, name: string) {
    this.#inTransaction(connection, `rollback to "${name}"`);
  }
  async releaseSavepoint(connection: DatabaseConnection, name: string) {
    this.#inTransaction(connection, `release "${name}"`);
  }

  #inTransaction(connection: DatabaseConnection, sql: string) {
    const { member } = connection as Connection;
    if (member) this.#group.run(member, { sql, parameters: [] });
  }

  async #optimize() {
    await this.#group.outside(() => measure(this.#writer));
    const old = this.#reader;
    this.#reader = this.#openReader();
    old.close();
  }

  /** With nobody reading it takes as long as the copying of what the last COMMIT has not copied; else it gives up at once. */
  async #shrinkLog() {
    await this.#group.outside(() => this.#writer.command("pragma wal_checkpoint(truncate)"));
  }

  async destroy() {
    this.#endUpkeep();
    await this.#group.outside(() => measure(this.#writer)).catch(warn);
    this.#reader.close();
    this.#writer.close();
  }
}

class Connection implements DatabaseConnection {
  member: Member | undefined;
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return (await this.#execute(query)) as QueryResult<R>;
  }

  #execute(query: CompiledQuery) {
    if (this.member) return this.#driver.inTransaction(this.member, query);
    const reads = SelectQueryNode.is(query.query) || /^\s*(select|explain)\b/i.test(query.sql);
    return reads ? this.#driver.read(query) : this.#driver.write(query);
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}
