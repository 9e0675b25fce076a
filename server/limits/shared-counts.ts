import { randomUUID } from "node:crypto";
import type { Broadcasts } from "#platform/events/broadcasts.ts";
import { Buckets } from "./buckets.ts";
import type { Rate } from "./table.ts";

export type SharedBuckets = Pick<Buckets, "take">;

type Parts = {
  broadcasts: Pick<Broadcasts, "subscribe" | "send">;
  hasOtherProcesses: () => boolean;
  /** Milliseconds. */
  now: () => number;
};
type Count = { name: string; key: string; points: number; rate: Rate };

const topic = "limits";
const sendIntervalMs = 1_000;
const maxBytes = 7_000;
/** Of what a second refills. Who takes less from each of ten processes takes no more than one limit allows. */
const minShareOfRefill = 0.1;

/**
 * Buckets that all processes empty together. Each process tells the others, at most once a second and in one message, what it took for
 * those who come near their limit; the others take as much. What does not fit into the message is left out, the smallest first.
 */
export class SharedCounts {
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

  /** `name`: the same on all processes, without spaces, as keys are. */
  open(name: string, rate: Rate): SharedBuckets {
    const buckets = new Buckets(rate, this.#parts.now);
    this.#buckets.set(name, buckets);
    return {
      take: (key, points) => {
        const wait = buckets.take(key, points);
        if (wait === 0 && this.#parts.hasOtherProcesses()) this.#note(name, key, points, rate);
        return wait;
      },
    };
  }

  #note(name: string, key: string, points: number, rate: Rate): void {
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
      if (taken.length + line.length > maxBytes) break;
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
