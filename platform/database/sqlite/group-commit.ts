import { isBusy, isDiskFault, NotSavedError } from "#platform/database/errors.ts";
import { DatabaseLoad } from "#platform/database/load.ts";
import { Visibility } from "#platform/database/visibility.ts";
import { Mutex } from "./mutex.ts";
import type { SqliteConnection, Statement } from "./sqlite-connection.ts";

const maxMembers = 256;
const retryDelayMs = 5;
const savepoint = `"group member"`;
const release: Statement = { sql: `release ${savepoint}`, parameters: [] };

export type Member = { first: boolean; lost?: NotSavedError };

/** In milliseconds. */
export type Limits = {
  groupFor: number;
  lockTimeoutMs: number;
};

/** Statements that no page of a visitor depends on. Whatever is not plainly one of them counts as a change. */
const leavesContent =
  /^(?:select|savepoint|release|rollback to|(?:insert into|update|delete from) "(?:attempts|sessions|known_devices|security_events|outbox|newsletters|pushes|webhook_deliveries|faults)")(?: |$)/;

/** Statements that change no row that a session is read from. Whatever is not plainly one of them may. */
const leavesSessions = new RegExp(
  `^(?:select|savepoint|release|rollback to|(?:insert into|update|delete from) "?(?:${[
    ...["conversations", "messages", "participants", "deleted_messages", "events", "pushes"],
    ...["attempts", "likes", "bookmarks", "views", "notifications", "webhook_deliveries"],
  ].join("|")})\\b"?)(?:\\s|$)`,
);

type PendingCommit = { resolve: () => void; reject: (error: NotSavedError) => void };

/**
 * The one writer of a SQLite file. Transactions take turns, each in a savepoint of one transaction of SQLite's, and share
 * its COMMIT and with it the wait for the disk. All that a transaction is answered waits for that COMMIT: its success,
 * and its failure too, which may stem from a neighbour's row that is not safe yet.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #limits: Limits;
  #mutex = new Mutex();
  #current: Member | undefined;
  #waiting: PendingCommit[] = [];
  #openedAt = 0;
  #flushIsDue = false;
  #changesContent = false;
  #contentCommits = 0;
  #changesSessions = false;
  #sessionCommits = 0;
  #mayHide = false;
  readonly #visibility: Visibility;
  readonly #load: DatabaseLoad;

  constructor(connection: SqliteConnection, limits: Limits, visibility = new Visibility(), load = new DatabaseLoad()) {
    this.#load = load;
    this.#connection = connection;
    this.#limits = limits;
    this.#visibility = visibility;
  }

  get contentCommits(): number {
    return this.#contentCommits;
  }

  get sessionCommits(): number {
    return this.#sessionCommits;
  }

  /** Waits for a turn, which `commit` or `rollback` ends. @throws NotSavedError while another process writes for too long. */
  async begin(): Promise<Member> {
    const deadline = performance.now() + this.#limits.lockTimeoutMs;
    await this.#load.wait(() => this.#mutex.acquire());
    const first = !this.#connection.inTransaction;
    try {
      if (first) await retryWhileBusy(deadline, () => this.#connection.command("begin immediate"));
      else this.#connection.command(`savepoint ${savepoint}`);
    } catch (error) {
      if (!this.#connection.inTransaction) this.#fail(error);
      this.#endTurn();
      throw new NotSavedError(error);
    }
    if (first) this.#openedAt = performance.now();
    this.#current = { first };
    return this.#current;
  }

  run(member: Member, query: Statement) {
    // Kysely lets a query through that nobody waited for, until the commit is answered. It would land in another's turn.
    if (member !== this.#current) throw new Error("The transaction has ended.");
    if (member.lost) throw member.lost;
    if (!leavesContent.test(query.sql)) this.#changesContent = true;
    if (!leavesSessions.test(query.sql.trimStart())) this.#changesSessions = true;
    if (Visibility.mayHide(query.sql)) this.#mayHide = true;
    try {
      return this.#connection.run(query);
    } catch (error) {
      // A full disk in mid-statement or ON CONFLICT ROLLBACK have ended the whole group by themselves. What this
      // transaction did next would be saved statement by statement.
      if (!this.#connection.inTransaction) this.#fail(error);
      throw isDiskFault(error) ? new NotSavedError(error) : error;
    }
  }

  /** @throws NotSavedError when nothing of it was saved. */
  async commit(member: Member): Promise<void> {
    try {
      if (!member.first) this.run(member, release);
      if (member.lost) throw member.lost;
    } catch (error) {
      await this.rollback(member);
      throw error;
    }
    const saved = this.#settlement();
    this.#endTurn();
    await saved;
  }

  /** @throws NotSavedError when those that it shared a group with were not saved. */
  async rollback(member: Member): Promise<void> {
    if (member !== this.#current) return; // A commit that failed has done it.
    const neighboursSaved = this.#undo(member);
    this.#endTurn();
    await neighboursSaved;
  }

  async single(query: Statement) {
    const member = await this.begin();
    const result = await this.#orRollBack(member, () => this.run(member, query));
    await this.commit(member);
    return result;
  }

  async outside<Result>(work: () => Result): Promise<Result> {
    const deadline = performance.now() + this.#limits.lockTimeoutMs;
    await this.#mutex.acquire();
    try {
      this.#flush();
      return await retryWhileBusy(deadline, work);
    } finally {
      this.#mutex.release();
    }
  }

  async #orRollBack<Result>(member: Member, work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (error) {
      await this.rollback(member);
      throw error;
    }
  }

  #undo({ first, lost }: Member): Promise<void> | undefined {
    if (lost) return undefined;
    try {
      this.#connection.command(first ? "rollback" : `rollback to ${savepoint}`);
      if (!first) this.#connection.run(release);
    } catch (error) {
      this.#fail(error);
    }
    return this.#connection.inTransaction ? this.#settlement() : undefined;
  }

  #settlement(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #endTurn() {
    this.#current = undefined;
    if (!this.#connection.inTransaction) return this.#mutex.release();
    if (this.#waiting.length < maxMembers && performance.now() - this.#openedAt < this.#limits.groupFor) {
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
      // Anyone who has the turn comes here again at its end.
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
    if (this.#mayHide) this.#visibility.changed();
    this.#mayHide = false;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #fail(cause: unknown) {
    const error = new NotSavedError(cause);
    if (this.#current) this.#current.lost = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    if (this.#connection.inTransaction) this.#connection.command("rollback");
  }
}

/** While another process has the lock this one waits for it without standing still. */
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
