export class Mutex {
  #isLocked = false;
  #waiting: Array<() => void> = [];

  get isLocked(): boolean {
    return this.#isLocked;
  }

  async acquire(): Promise<void> {
    if (this.#isLocked) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isLocked = true;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isLocked = false;
  }

  releaseLater(): void {
    if (this.#waiting.length > 0) setImmediate(() => this.release());
    else this.#isLocked = false;
  }
}
