/** This process's load on the database. */
export class DatabaseLoad {
  /** Transactions and single statements. */
  writes = 0;
  /** Writers (SQLite) or connections (PostgreSQL) waiting now. */
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
