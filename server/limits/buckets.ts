import { BoundedMap } from "#platform/memory.ts";
import type { Rate } from "./table.ts";

type Bucket = { points: number; at: number };

/** Networks and accounts that are remembered at the same time: some megabytes. */
const maxBuckets = 50_000;

/**
 * Buckets of points in this process's memory, one for each key; those that nobody took from for longest are forgotten first.
 * @param now milliseconds
 */
export class Buckets {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #kept = new BoundedMap<string, Bucket>({ entries: maxBuckets });

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
    const made = { points: burst, at: now };
    this.#kept.set(key, made);
    return made;
  }
}
