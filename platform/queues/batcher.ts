export type BatchItem<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };
type Work<Item, Result> = (items: BatchItem<Item, Result>[]) => Promise<void>;

/** Handles items in batches: those of one turn of the event loop or, under load, of `pauseMs`. */
export class Batcher<Item, Result> {
  readonly #limits: { max: number; pauseMs: number };
  #items: BatchItem<Item, Result>[] = [];
  #handledAt = Number.NEGATIVE_INFINITY;

  constructor(limits: { max: number; pauseMs: number }) {
    this.#limits = limits;
  }

  /** @param work - must settle each item; if it throws, the rest is rejected. */
  add(item: Item, work: Work<Item, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#items.push({ item, resolve, reject }) > 1) return;
      const pause = this.#handledAt + this.#limits.pauseMs - performance.now();
      if (pause > 0) setTimeout(() => this.#handle(work), pause);
      else setImmediate(() => this.#handle(work));
    });
  }

  #handle(work: Work<Item, Result>): void {
    this.#handledAt = performance.now();
    const items = this.#items;
    this.#items = [];
    for (let start = 0; start < items.length; start += this.#limits.max) {
      const batch = items.slice(start, start + this.#limits.max);
      work(batch).catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      });
    }
  }
}
