import { CacheInvalidation } from "#platform/database/cache-invalidation.ts";
import { isBusy, isDiskFailure, NotSavedError } from "#platform/database/errors.ts";
import { DatabaseLoad } from "#platform/database/load.ts";
import { Mutex } from "./mutex.ts";
import type { SqliteConnection, Statement } from "./sqlite-connection.ts";

const maxTransactions = 256;
const retryDelayMs = 5;
const savepoint = `"group member"`;
const release: Statement = { sql: `release ${savepoint}`, parameters: [] };

/** `isFirst`: its statements run in SQLite's transaction itself, without a savepoint. `failure`: the group was rolled back. */
export type GroupedTransaction = { isFirst: boolean; failure?: NotSavedError };

export type GroupLimits = {
  maxGroupMs: number;
  lockTimeoutMs: number;
};

/** Statements that don't affect public pages. Unknown statements count as changes. */
const isContentNeutral =
  /^(?:select|savepoint|release|rollback to|(?:insert into|update|delete from) "(?:attempts|sessions|known_devices|security_events|outbox|newsletters|pushes|webhook_deliveries|faults)")(?: |$)/;

/** Statements that don't affect rows that a session is read from. Unknown statements count as changes. */
const isSessionNeutral = new RegExp(
  `^(?:select|savepoint|release|rollback to|(?:insert into|update|delete from) "?(?:${[
    ...["conversations", "messages", "participants", "deleted_messages", "events", "pushes"],
    ...["attempts", "likes", "bookmarks", "views", "notifications", "webhook_deliveries"],
  ].join("|")})\\b"?)(?:\\s|$)`,
);

type PendingCommit = { resolve: () => void; reject: (error: NotSavedError) => void };

/**
 * The only writer of a SQLite file. Transactions take turns, each in a savepoint of one SQLite transaction, and share its COMMIT and
 * disk flush. Success and failure are both reported after that COMMIT: a failure may be due to another transaction's row that isn't
 * durable yet.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #limits: GroupLimits;
  #mutex = new Mutex();
  #current: GroupedTransaction | undefined;
  #waiting: PendingCommit[] = [];
  #openedAt = 0;
  #flushIsDue = false;
  #changesContent = false;
  #contentCommits = 0;
  #changesSessions = false;
  #sessionCommits = 0;
  #mayHide = false;
  readonly #cacheInvalidation: CacheInvalidation;
  readonly #load: DatabaseLoad;

  constructor(connection: SqliteConnection, limits: GroupLimits, cacheInvalidation = new CacheInvalidation(), load = new DatabaseLoad()) {
    this.#load = load;
    this.#connection = connection;
    this.#limits = limits;
    this.#cacheInvalidation = cacheInvalidation;
  }

  get contentCommits(): number {
    return this.#contentCommits;
  }

  get sessionCommits(): number {
    return this.#sessionCommits;
  }

  /** Waits for a turn, which `commit` or `rollback` ends. @throws NotSavedError while another process writes for too long. */
  async begin(): Promise<GroupedTransaction> {
    const deadline = performance.now() + this.#limits.lockTimeoutMs;
    await this.#load.wait(() => this.#mutex.acquire());
    const isFirst = !this.#connection.inTransaction;
    try {
      if (isFirst) await retryWhileBusy(deadline, () => this.#connection.command("begin immediate"));
      else this.#connection.command(`savepoint ${savepoint}`);
    } catch (error) {
      if (!this.#connection.inTransaction) this.#fail(error);
      this.#endTurn();
      throw new NotSavedError(error);
    }
    if (isFirst) this.#openedAt = performance.now();
    this.#current = { isFirst };
    return this.#current;
  }

  run(transaction: GroupedTransaction, query: Statement) {
    // Kysely runs a query that wasn't awaited until the commit resolves. It would become part of another transaction.
    if (transaction !== this.#current) throw new Error("The transaction has ended.");
    if (transaction.failure) throw transaction.failure;
    if (!isContentNeutral.test(query.sql)) this.#changesContent = true;
    if (!isSessionNeutral.test(query.sql.trimStart())) this.#changesSessions = true;
    if (CacheInvalidation.mayHideContent(query.sql)) this.#mayHide = true;
    try {
      return this.#connection.run(query);
    } catch (error) {
      // A full disk during a statement, or ON CONFLICT ROLLBACK, ends SQLite's transaction. Later statements would be saved one by one.
      if (!this.#connection.inTransaction) this.#fail(error);
      throw isDiskFailure(error) ? new NotSavedError(error) : error;
    }
  }

  /** @throws NotSavedError if nothing was saved. */
  async commit(transaction: GroupedTransaction): Promise<void> {
    try {
      if (!transaction.isFirst) this.run(transaction, release);
      if (transaction.failure) throw transaction.failure;
    } catch (error) {
      await this.rollback(transaction);
      throw error;
    }
    const saved = this.#nextCommit();
    this.#endTurn();
    await saved;
  }

  /** @throws NotSavedError if the rest of the group was not saved. */
  async rollback(transaction: GroupedTransaction): Promise<void> {
    if (transaction !== this.#current) return; // A failed commit has rolled back already.
    const groupSaved = this.#undo(transaction);
    this.#endTurn();
    await groupSaved;
  }

  async runSingle(query: Statement) {
    const transaction = await this.begin();
    const result = await this.#rollBackOnError(transaction, () => this.run(transaction, query));
    await this.commit(transaction);
    return result;
  }

  async runOutside<Result>(work: () => Result): Promise<Result> {
    const deadline = performance.now() + this.#limits.lockTimeoutMs;
    await this.#mutex.acquire();
    try {
      this.#flush();
      return await retryWhileBusy(deadline, work);
    } finally {
      this.#mutex.release();
    }
  }

  async #rollBackOnError<Result>(transaction: GroupedTransaction, work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (error) {
      await this.rollback(transaction);
      throw error;
    }
  }

  #undo({ isFirst, failure }: GroupedTransaction): Promise<void> | undefined {
    if (failure) return undefined;
    try {
      this.#connection.command(isFirst ? "rollback" : `rollback to ${savepoint}`);
      if (!isFirst) this.#connection.run(release);
    } catch (error) {
      this.#fail(error);
    }
    return this.#connection.inTransaction ? this.#nextCommit() : undefined;
  }

  #nextCommit(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #endTurn() {
    this.#current = undefined;
    if (!this.#connection.inTransaction) return this.#mutex.release();
    if (this.#waiting.length < maxTransactions && performance.now() - this.#openedAt < this.#limits.maxGroupMs) {
      this.#flushSoon();
      this.#mutex.release();
    } else {
      this.#flush();
      this.#mutex.releaseLater();
    }
  }

  #flushSoon() {
    if (this.#flushIsDue) return;
    this.#flushIsDue = true;
    setImmediate(() => {
      this.#flushIsDue = false;
      // While it is locked, the end of the current turn flushes.
      if (!this.#mutex.isLocked) this.#flush();
    });
  }

  #flush() {
    if (this.#waiting.length === 0) return;
    try {
      this.#connection.command("commit");
    } catch (error) {
      this.#fail(error);
    }
    this.#load.writes += this.#waiting.length;
    if (this.#changesContent) this.#contentCommits++;
    this.#changesContent = false;
    if (this.#changesSessions) this.#sessionCommits++;
    this.#changesSessions = false;
    if (this.#mayHide) this.#cacheInvalidation.changed();
    this.#mayHide = false;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #fail(cause: unknown) {
    const error = new NotSavedError(cause);
    if (this.#current) this.#current.failure = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    if (this.#connection.inTransaction) this.#connection.command("rollback");
  }
}

/** Waits for another process's lock without blocking. */
async function retryWhileBusy<Result>(deadline: number, work: () => Result): Promise<Result> {
  while (true) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
  }
}
