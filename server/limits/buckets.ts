import type { Rate } from "./table.ts";

type Bucket = { points: number; at: number };

/** Networks and accounts that are remembered at the same time: some megabytes. */
const mostKept = 50_000;

/**
 * Buckets of points in this process's memory, one for each key; one that nobody took from for long is full, and forgotten.
 * @param now milliseconds
 */
export class Buckets {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #kept = new Map<string, Bucket>();

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Takes so many points. Returns 0, or the seconds after which there are enough of them. */
  take(key: string, points: number): number {
    const { burst, perSecond } = this.#rate;
    const now = this.#now();
    const bucket = this.#kept.get(key);
    if (!bucket) {
      if (this.#kept.size >= mostKept) this.#makeRoom(now);
      this.#kept.set(key, { points: burst - points, at: now });
      return 0;
    }
    const filled = Math.min(burst, bucket.points + (Math.max(0, now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    bucket.points = filled >= points ? filled - points : filled;
    return filled >= points ? 0 : Math.max(1, Math.ceil((points - filled) / perSecond));
  }

  /** The full ones say nothing; should there be none, the oldest go. */
  #makeRoom(now: number): void {
    const refill = (this.#rate.burst / this.#rate.perSecond) * 1000;
    for (const [key, { at }] of this.#kept) if (now - at >= refill) this.#kept.delete(key);
    for (const key of this.#kept.keys()) {
      if (this.#kept.size < mostKept * 0.9) break;
      this.#kept.delete(key);
    }
  }
}
