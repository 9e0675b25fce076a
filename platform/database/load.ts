export class DatabaseLoad {
  writes = 0;
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
