import { setTimeout as wait } from "node:timers/promises";
import type { Engine } from "../database/engine.ts";
import type { Database, DatabaseTransaction } from "../database/open.ts";
import type { Visible } from "../database/visible.ts";
import type { Log } from "../log.ts";
import { days, hours } from "../time.ts";
import { Broadcasts, broadcastChannel } from "./broadcasts.ts";
import { channel, type Event, EventLog, isAfter, type LoggedEvent, readCursor } from "./event-log.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { TopicListeners } from "./topic-listeners.ts";

export type Events = {
  append(tx: DatabaseTransaction, events: Event[], now: number): Promise<void>;
  wake(): void;
  /** Hears what is committed from now on, or an event of type `gap` when some of it is lost. Returns what ends it. */
  subscribe(topic: string, listener: Listener): () => void;
  readAfter(cursor: string, topics: string[]): Promise<LoggedEvent[] | typeof gap>;
  latest(): string;
  isAfter(cursor: string, other: string): boolean;
  broadcasts: Broadcasts;
  close(): Promise<void>;
};

export type Listener = (event: LoggedEvent) => void;

export const gap = "gap";

/** See platform/database/definitions/postgres/visible.sql. */
const hiddenChannel = "inkstead_hidden";

type Parts = { db: Database; engine: Engine; databaseUrl?: string | undefined; now: () => number; log: Log; visible?: Visible };

const maxEventsPerRead = 1_000;
const eventRetentionMs = days(1);
/** Wakes for what nobody called out: a command on the console that wrote to the same SQLite file. */
const pollIntervalMs = 5_000;

export async function openEvents({ db, engine, databaseUrl, now, log: report, visible }: Parts): Promise<Events> {
  const log = new EventLog(db, engine);
  await log.prepare(now());
  const listeners = new TopicListeners<LoggedEvent>(report);
  const deliver = (events: LoggedEvent[]) => {
    for (const event of events) listeners.publish(event);
  };
  const skipped = () => deliver(listeners.topics.map((topic) => ({ topic, type: gap, data: {}, cursor: pump.cursor })));
  const pump: Pump = new Pump(log, await log.end(), { deliver, skipped, report });
  const wake = () => pump.wake();
  const broadcasts = new Broadcasts(db, engine, report);
  const hidden = { heard: 0, listening: false };
  const hear = () => void hidden.heard++;
  const channels = { [channel]: wake, [broadcastChannel]: (payload: string) => broadcasts.receive(payload), [hiddenChannel]: hear };
  const opened = () => {
    Object.assign(hidden, { heard: hidden.heard + 1, listening: true });
    wake();
    broadcasts.opened();
  };
  const closed = () => {
    hidden.listening = false;
  };
  if (engine === "postgres") visible?.trackOthers(() => (hidden.listening ? String(hidden.heard) : undefined));
  const listener =
    engine === "postgres" && databaseUrl ? new PostgresListener(databaseUrl, { channels, opened, closed }, report) : undefined;
  const removeOld = () =>
    log.removeBefore(now() - eventRetentionMs).catch((err: unknown) => report.warn({ err }, "old events were not removed"));
  const timers = [setInterval(wake, pollIntervalMs).unref(), setInterval(() => void removeOld(), hours(1)).unref()];

  return {
    append: (tx, events, at) => log.append(tx, events, at),
    wake: engine === "sqlite" ? wake : () => {}, // PostgreSQL calls out to every process, this one too.
    subscribe: (topic, listen) => listeners.add(topic, listen),
    async readAfter(cursor, topics) {
      if (readCursor(engine, cursor) === undefined) return gap;
      const { events } = await log.read(cursor, { topics, limit: maxEventsPerRead });
      // Asked last: what is removed while we read counts as removed before.
      return events.length < maxEventsPerRead && (await log.isKept(cursor)) ? events : gap;
    },
    broadcasts,
    latest: () => pump.cursor,
    isAfter(cursor, other) {
      const [one, two] = [readCursor(engine, cursor), readCursor(engine, other)];
      return one !== undefined && two !== undefined && isAfter(one, two);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([listener?.close(), pump.close()]);
    },
  };
}

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
