import { randomUUID } from "node:crypto";
import type { Broadcasts } from "#platform/events/events.ts";
import { BoundedMap } from "#platform/memory.ts";
import type { Rate } from "./table.ts";

type Bucket = { points: number; at: number };

/** Some megabytes. */
const maxBuckets = 50_000;

/** Token buckets in memory, one for each key; the least recently used are evicted first. @param now - in milliseconds */
export class Buckets {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new BoundedMap<string, Bucket>({ entries: maxBuckets });

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** @returns 0, or the seconds until there are enough points. */
  take(key: string, points: number): number {
    const bucket = this.#refill(key);
    if (bucket.points < points) return Math.max(1, Math.ceil((points - bucket.points) / this.#rate.perSecond));
    bucket.points -= points;
    return 0;
  }

  /** Takes points that were spent in another process. The debt is at most one burst. */
  spend(key: string, points: number): void {
    const bucket = this.#refill(key);
    bucket.points = Math.max(-this.#rate.burst, bucket.points - points);
  }

  #refill(key: string): Bucket {
    const { burst, perSecond } = this.#rate;
    const now = this.#now();
    const existing = this.#buckets.get(key);
    if (existing) {
      existing.points = Math.min(burst, existing.points + (Math.max(0, now - existing.at) / 1000) * perSecond);
      existing.at = now;
      return existing;
    }
    const bucket = { points: burst, at: now };
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

export type TokenBuckets = Pick<Buckets, "take">;

type Parts = {
  broadcasts: Pick<Broadcasts, "subscribe" | "send">;
  hasOtherProcesses: () => boolean;
  /** Milliseconds. */
  now: () => number;
};
type Count = { name: string; key: string; points: number; rate: Rate };

const topic = "limits";
const sendIntervalMs = 1_000;
/** Below the 8,000 bytes of a PostgreSQL notification. */
const maxMessageBytes = 7_000;
/** Share of a second's refill below which a count isn't broadcast: ten processes below it stay within one limit. */
const minShareOfRefill = 0.1;

/**
 * Buckets shared by all processes. Once a second at most, each process broadcasts the points taken by keys near their limit, and the others take
 * as many. If the message gets too long, the smallest are left out.
 */
export class SharedTokenBuckets {
  readonly #parts: Parts;
  readonly #process = randomUUID().slice(0, 8);
  readonly #buckets = new Map<string, Buckets>();
  readonly #taken = new Map<string, Count>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.broadcasts.subscribe(topic, ({ data }) => {
      if (data.process !== this.#process) this.#receive(String(data.taken));
    });
  }

  /** `name` and keys must not contain spaces; the name is the same in all processes. */
  open(name: string, rate: Rate): TokenBuckets {
    const buckets = new Buckets(rate, this.#parts.now);
    this.#buckets.set(name, buckets);
    return {
      take: (key, points) => {
        const wait = buckets.take(key, points);
        if (wait === 0 && this.#parts.hasOtherProcesses()) this.#record(name, key, points, rate);
        return wait;
      },
    };
  }

  #record(name: string, key: string, points: number, rate: Rate): void {
    const id = `${name} ${key}`;
    const count = this.#taken.get(id);
    if (count) count.points += points;
    else this.#taken.set(id, { name, key, points, rate });
    this.#timer ??= setTimeout(() => this.#send(), sendIntervalMs).unref();
  }

  #send(): void {
    this.#timer = undefined;
    const near = [...this.#taken.values()].filter(({ points, rate }) => points >= rate.perSecond * minShareOfRefill);
    this.#taken.clear();
    near.sort((one, other) => other.points / other.rate.burst - one.points / one.rate.burst);
    let taken = "";
    for (const { name, key, points } of near) {
      const line = `${name} ${key} ${points.toFixed(1)}\n`;
      if (taken.length + line.length > maxMessageBytes) break;
      taken += line;
    }
    if (taken) this.#parts.broadcasts.send({ topic, type: "taken", data: { process: this.#process, taken } });
  }

  #receive(taken: string): void {
    for (const line of taken.split("\n")) {
      const [name = "", key = "", points = ""] = line.split(" ");
      if (Number(points) > 0) this.#buckets.get(name)?.spend(key, Number(points));
    }
  }
}
