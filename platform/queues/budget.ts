import { BoundedMap } from "../memory.ts";

export class BudgetExceeded extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("the budget is spent");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type Window = { spent: number; endsAt: number };
const maxWindows = 50_000;

export class Budget {
  readonly #windowMs: number;
  readonly #windows = new BoundedMap<string, Window>({ entries: maxWindows });
  readonly #now: () => number;

  constructor(windowMs: number, now: () => number = Date.now) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  assertBelow(key: string, max: number): void {
    const window = this.#open(key);
    if (window && window.spent >= max) throw new BudgetExceeded(Math.max(1, Math.ceil((window.endsAt - this.#now()) / 1000)));
  }

  spend(key: string, amount: number): void {
    const window = this.#open(key);
    if (window) window.spent += amount;
    else this.#windows.set(key, { spent: amount, endsAt: this.#now() + this.#windowMs });
  }

  #open(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window && window.endsAt > this.#now() ? window : undefined;
  }
}
