export type Gathered<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };
type Work<Item, Result> = (gathered: Gathered<Item, Result>[]) => Promise<void>;

/** Collects items and handles them together: those of one turn of the event loop or, under load, of `pauseMs`. */
export class Gathering<Item, Result> {
  readonly #limits: { max: number; pauseMs: number };
  #gathered: Gathered<Item, Result>[] = [];
  #handledAt = Number.NEGATIVE_INFINITY;

  constructor(limits: { max: number; pauseMs: number }) {
    this.#limits = limits;
  }

  /** @param work has to settle each item; an error that it throws rejects the rest. */
  add(item: Item, work: Work<Item, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#gathered.push({ item, resolve, reject }) > 1) return;
      const pause = this.#handledAt + this.#limits.pauseMs - performance.now();
      if (pause > 0) setTimeout(() => this.#handle(work), pause);
      else setImmediate(() => this.#handle(work));
    });
  }

  #handle(work: Work<Item, Result>): void {
    this.#handledAt = performance.now();
    const gathered = this.#gathered;
    this.#gathered = [];
    for (let start = 0; start < gathered.length; start += this.#limits.max) {
      const part = gathered.slice(start, start + this.#limits.max);
      work(part).catch((error: unknown) => {
        for (const { reject } of part) reject(error);
      });
    }
  }
}
