import { sql } from "kysely";
import type { CacheInvalidation } from "../database/cache-invalidation.ts";
import type { Engine } from "../database/engine.ts";
import type { Database, DatabaseTransaction } from "../database/open.ts";
import type { Log } from "../log.ts";
import { days, hours } from "../time.ts";
import { channel, type Event, EventLog, isAfter, type LoggedEvent, Pump, readCursor } from "./event-log.ts";
import { PostgresListener } from "./postgres-listener.ts";

export type Events = {
  append(tx: DatabaseTransaction, events: Event[], now: number): Promise<void>;
  wake(): void;
  /** Delivers events committed from now on, and one of type `gap` if some were lost. @returns a function that unsubscribes. */
  subscribe(topic: string, listener: Listener): () => void;
  readAfter(cursor: string, topics: string[]): Promise<LoggedEvent[] | typeof gap>;
  latest(): string;
  isAfter(cursor: string, other: string): boolean;
  broadcasts: Broadcasts;
  close(): Promise<void>;
};

type Listener = (event: LoggedEvent) => void;

export const gap = "gap";

/** See platform/database/definitions/postgres/visible.sql. */
const hiddenChannel = "inkstead_hidden";

type Parts = {
  db: Database;
  engine: Engine;
  databaseUrl?: string | undefined;
  now: () => number;
  log: Log;
  cacheInvalidation?: CacheInvalidation;
};

const maxEventsPerRead = 1_000;
const eventRetentionMs = days(1);
/** Finds events that woke no pump, as of a console command that wrote to the same SQLite file. */
const pollIntervalMs = 5_000;

export async function openEvents({ db, engine, databaseUrl, now, log: report, cacheInvalidation }: Parts): Promise<Events> {
  const log = new EventLog(db, engine);
  await log.prepare(now());
  const listeners = new TopicListeners<LoggedEvent>(report);
  const deliver = (events: LoggedEvent[]) => {
    for (const event of events) listeners.deliver(event);
  };
  const skipped = () => deliver(listeners.topics.map((topic) => ({ topic, type: gap, data: {}, cursor: pump.cursor })));
  const pump: Pump = new Pump(log, await log.end(), { deliver, skipped, report });
  const wake = () => pump.wake();
  const broadcasts = new Broadcasts(db, engine, report);
  const hidden = { count: 0, isListening: false };
  const countHidden = () => void hidden.count++;
  const channels = { [channel]: wake, [broadcastChannel]: (payload: string) => broadcasts.receive(payload), [hiddenChannel]: countHidden };
  const opened = () => {
    Object.assign(hidden, { count: hidden.count + 1, isListening: true });
    wake();
    broadcasts.opened();
  };
  const closed = () => {
    hidden.isListening = false;
  };
  if (engine === "postgres") cacheInvalidation?.trackOtherProcesses(() => (hidden.isListening ? String(hidden.count) : undefined));
  const postgres =
    engine === "postgres" && databaseUrl ? new PostgresListener(databaseUrl, { channels, opened, closed }, report) : undefined;
  const removeOld = () =>
    log.removeBefore(now() - eventRetentionMs).catch((err: unknown) => report.warn({ err }, "old events were not removed"));
  const timers = [setInterval(wake, pollIntervalMs).unref(), setInterval(() => void removeOld(), hours(1)).unref()];

  return {
    append: (tx, events, at) => log.append(tx, events, at),
    wake: engine === "sqlite" ? wake : () => {}, // PostgreSQL notifies every process, including this one.
    subscribe: (topic, listener) => listeners.subscribe(topic, listener),
    async readAfter(cursor, topics) {
      if (readCursor(engine, cursor) === undefined) return gap;
      const { events } = await log.read(cursor, { topics, limit: maxEventsPerRead });
      // Checked after reading: rows may be removed meanwhile.
      return events.length < maxEventsPerRead && (await log.isRetained(cursor)) ? events : gap;
    },
    broadcasts,
    latest: () => pump.cursor,
    isAfter(cursor, other) {
      const [one, two] = [readCursor(engine, cursor), readCursor(engine, other)];
      return one !== undefined && two !== undefined && isAfter(one, two);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([postgres?.close(), pump.close()]);
    },
  };
}

/** Subscribers by topic. One that throws is logged and doesn't stop the others. */
class TopicListeners<Message extends { topic: string; type: string }> {
  readonly #byTopic = new Map<string, Set<(message: Message) => void>>();
  protected readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  get topics(): string[] {
    return [...this.#byTopic.keys()];
  }

  /** @returns a function that unsubscribes. */
  subscribe(topic: string, listener: (message: Message) => void): () => void {
    const own = (message: Message) => listener(message);
    const others = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, others.add(own));
    return () => {
      others.delete(own);
      if (others.size === 0 && this.#byTopic.get(topic) === others) this.#byTopic.delete(topic);
    };
  }

  deliver(message: Message): void {
    for (const listener of [...(this.#byTopic.get(message.topic) ?? [])]) {
      try {
        listener(message);
      } catch (err) {
        this.log.error({ err, topic: message.topic, type: message.type }, "a listener failed");
      }
    }
  }
}

/** For current subscribers only, such as that someone is typing. Not stored. */
export type Broadcast = { topic: string; type: string; data: Record<string, string | number | boolean | null> };

/** PostgreSQL limits a notification to 8,000 bytes. */
const maxBroadcastBytes = 7_500;

const broadcastChannel = "inkstead_broadcasts";

/** Sends to every process: with NOTIFY on PostgreSQL, directly on SQLite, which has one process. */
export class Broadcasts extends TopicListeners<Broadcast> {
  readonly #db: Database;
  readonly #engine: Engine;
  readonly #openListeners: (() => void)[] = [];

  constructor(db: Database, engine: Engine, log: Log) {
    super(log);
    this.#db = db;
    this.#engine = engine;
  }

  onOpen(listener: () => void): void {
    this.#openListeners.push(listener);
  }

  opened(): void {
    for (const listener of this.#openListeners) listener();
  }

  send(broadcast: Broadcast): void {
    if (this.#engine === "sqlite") this.deliver(broadcast);
    else this.#notify(broadcast);
  }

  #notify(broadcast: Broadcast): void {
    const payload = JSON.stringify(broadcast);
    if (Buffer.byteLength(payload) > maxBroadcastBytes) throw new Error(`${broadcast.type} is too long for a broadcast`);
    sql`select pg_notify(${broadcastChannel}, ${payload})`.execute(this.#db).catch((err: unknown) => {
      this.log.debug({ err, type: broadcast.type }, "a broadcast was lost");
    });
  }

  receive(payload: string): void {
    try {
      this.deliver(JSON.parse(payload) as Broadcast);
    } catch (err) {
      this.log.warn({ err }, "an invalid broadcast was ignored");
    }
  }
}
