/** Lets things begin a while apart, however many come at once. */
export class Pace {
  readonly #apartMs: number;
  #nextAt = 0;

  constructor(apartMs: number) {
    this.#apartMs = apartMs;
  }

  /** Milliseconds to wait before the next may begin; undefined, and no turn taken, when they are more than `mostMs`. */
  takeTurn(now: number, mostMs: number): number | undefined {
    const at = Math.max(now, this.#nextAt);
    if (at - now > mostMs) return undefined;
    this.#nextAt = at + this.#apartMs;
    return at - now;
  }
}
