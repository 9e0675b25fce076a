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
    const bucket = this.#filled(key);
    if (bucket.points < points) return Math.max(1, Math.ceil((points - bucket.points) / this.#rate.perSecond));
    bucket.points -= points;
    return 0;
  }

  /** Takes points that were spent elsewhere, whether or not they are there: at most as many are owed as a bucket holds. */
  spend(key: string, points: number): void {
    const bucket = this.#filled(key);
    bucket.points = Math.max(-this.#rate.burst, bucket.points - points);
  }

  #filled(key: string): Bucket {
    const { burst, perSecond } = this.#rate;
    const now = this.#now();
    const known = this.#kept.get(key);
    if (known) {
      known.points = Math.min(burst, known.points + (Math.max(0, now - known.at) / 1000) * perSecond);
      known.at = now;
      return known;
    }
    if (this.#kept.size >= mostKept) this.#makeRoom(now);
    const made = { points: burst, at: now };
    this.#kept.set(key, made);
    return made;
  }

  #makeRoom(now: number): void {
    const refill = (this.#rate.burst / this.#rate.perSecond) * 1000;
    for (const [key, { at }] of this.#kept) if (now - at >= refill) this.#kept.delete(key);
    for (const key of this.#kept.keys()) {
      if (this.#kept.size < mostKept * 0.9) break;
      this.#kept.delete(key);
    }
  }
}
