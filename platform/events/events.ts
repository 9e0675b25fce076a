import type { Engine } from "../database/engine.ts";
import type { Database, DatabaseTransaction } from "../database/open.ts";
import type { Visible } from "../database/visible.ts";
import type { Log } from "../log.ts";
import { days, hours } from "../time.ts";
import { Broadcasts, broadcastChannel } from "./broadcasts.ts";
import { isAfter, readCursor } from "./cursor.ts";
import { channel, type Event, EventLog, type LoggedEvent } from "./event-log.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { Pump } from "./pump.ts";
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
