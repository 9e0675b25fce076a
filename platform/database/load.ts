/** What this process does to the database, and how long it waits for it. */
export class DatabaseLoad {
  /** Transactions and single statements that were saved. */
  writes = 0;
  /** Who waits at the moment for their turn to write (SQLite) or for a connection (PostgreSQL). */
  waiting = 0;
  waitedMs = 0;

  async wait<Result>(turn: () => Promise<Result>): Promise<Result> {
    const since = performance.now();
    this.waiting++;
    try {
      return await turn();
    } finally {
      this.waiting--;
      this.waitedMs += performance.now() - since;
    }
  }
}
