import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { EventLog, LoggedEvent } from "./event-log.ts";

/** Milliseconds. */
export type Pace = {
  /** Between two reads at least. */
  between: number;
  /** Until events that may not be read yet are looked at again; at most ten times as long when it takes several looks. */
  waiting: number;
  /** After a read that failed; grows to a hundredfold. */
  failed: number;
};

const pace: Pace = { between: 10, waiting: 20, failed: 50 };
const eventsPerBatch = 500;
const maxBatchesInARow = 16;

/** Reads the log from where it stands whenever it is woken, and hands on each event once and in order. One per process. */
export class Pump {
  readonly #log: EventLog;
  readonly #deliver: (events: LoggedEvent[]) => void;
  readonly #skipped: () => void;
  readonly #report: Log;
  readonly #closing = new AbortController();
  #cursor: string;
  #wanted = false;
  #running: Promise<void> | undefined;
  #looks = 0;
  #failures = 0;

  constructor(log: EventLog, from: string, to: { deliver: (events: LoggedEvent[]) => void; skipped: () => void; report: Log }) {
    this.#log = log;
    this.#cursor = from;
    this.#deliver = to.deliver;
    this.#skipped = to.skipped;
    this.#report = to.report;
  }

  get cursor(): string {
    return this.#cursor;
  }

  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#wanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#wanted) this.wake();
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#wanted && !this.#closing.signal.aborted) {
      this.#wanted = false;
      let pause = await this.#read();
      for (let reads = 1; pause === 0 && reads < maxBatchesInARow; reads++) pause = await this.#read();
      // Anyone who wakes it meanwhile is served by the next read: a hundred commits cost one.
      await wait(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
    }
    this.#wanted &&= !this.#closing.signal.aborted;
  }

  async #read(): Promise<number> {
    try {
      const { events, waiting } = await this.#log.read(this.#cursor, { limit: eventsPerBatch });
      const lost = this.#failures > 0 && !(await this.#log.isKept(this.#cursor));
      if (lost) await this.#skip();
      else this.#hand(events);
      this.#failures = 0;
      this.#looks = waiting && events.length === 0 ? this.#looks + 1 : 0;
      if (!waiting && events.length < eventsPerBatch) return pace.between;
      this.#wanted = true;
      return waiting ? pace.waiting * Math.min(1 + this.#looks, 10) : 0;
    } catch (error) {
      if (this.#closing.signal.aborted) return 0;
      if (this.#failures++ === 0) this.#report.warn({ err: error }, "events can't be read, trying again");
      this.#wanted = true;
      return pace.failed * Math.min(2 ** this.#failures, 100);
    }
  }

  #hand(events: LoggedEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.#cursor = last.cursor;
    this.#deliver(events);
  }

  async #skip(): Promise<void> {
    this.#cursor = await this.#log.end();
    this.#skipped();
  }
}
