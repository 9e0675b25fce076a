import { setTimeout as wait } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Engine } from "../database/engine.ts";
import { jsonRows } from "../database/json-rows.ts";
import type { Database, DatabaseTransaction } from "../database/open.ts";
import type { Log } from "../log.ts";

export type Event = { topic: string; type: string; data?: EventData };
type EventData = Record<string, string | number | boolean | null>;

export type LoggedEvent = Required<Event> & { cursor: string };

/** `waiting`: there are events that can't be read yet. */
export type Batch = { events: LoggedEvent[]; waiting: boolean };

type Row = { number: number; transaction: string; topic: string; type: string; data: string; waiting: boolean | number };

export const channel = "inkstead_events";

/**
 * On PostgreSQL, the oldest transaction that may still write to this database. A snapshot lists the open transactions of all databases, so
 * those of connections to other databases are left out. One that ended since the snapshot still counts.
 */
const oldestOpenTransaction = sql`coalesce(
  (select min(open::text::bigint) from pg_snapshot_xip(pg_current_snapshot()) as open where not exists (
    select 1 from pg_stat_get_activity(null) as activity join pg_database as own on own.datname = current_database()
    where activity.datid <> own.oid and activity.backend_xid::text::bigint = open::text::bigint & 4294967295)),
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text::xid8`;

/**
 * The table of events. On PostgreSQL a row gets its number before its transaction commits, so a reader by number would miss a row that is
 * committed after a later one. Rows are therefore ordered by transaction first and read once every earlier transaction has ended. Open
 * transactions of other databases on the server don't count.
 */
export class EventLog {
  readonly #db: Database;
  readonly #engine: Engine;

  constructor(db: Database, engine: Engine) {
    this.#db = db;
    this.#engine = engine;
  }

  async append(tx: DatabaseTransaction, events: Event[], now: number): Promise<void> {
    const rows = events.map(({ topic, type, data = {} }) => ({ topic, type, data: JSON.stringify(data) }));
    const columns = { topic: "text", type: "text", data: "text" } as const;
    const insert = sql`insert into "events" (topic, type, data, "createdAt")
      select topic, type, data, cast(${now} as bigint) from ${jsonRows(this.#engine, columns, rows)} as r`;
    const insertAndNotify = sql`with added as (${insert} returning number) select pg_notify(${channel}, '')`;
    await (this.#engine === "sqlite" ? insert : insertAndNotify).execute(tx);
  }

  async read(cursor: string, { limit, topics }: { limit: number; topics?: string[] }): Promise<Batch> {
    const after = readCursor(this.#engine, cursor);
    if (!after) throw new Error(`This isn't a cursor: ${cursor}`);
    const onTopics = topics ? sql`and topic in (${sql.join(topics)})` : sql``;
    const { rows } = await this.#rowsAfter(after, onTopics, limit).execute(this.#db);
    const readable = rows.filter((row) => !row.waiting);
    return { events: readable.map((row) => this.#event(row)), waiting: readable.length < rows.length };
  }

  #rowsAfter({ transaction, number }: Position, onTopics: RawBuilder<unknown>, limit: number): RawBuilder<Row> {
    if (this.#engine === "sqlite")
      return sql<Row>`
        select number, '0' as "transaction", topic, type, data, 0 as waiting from events
        where number > ${number} ${onTopics} order by number limit ${limit}`;
    return sql<Row>`
      select number, "transaction"::text as "transaction", topic, type, data,
        "transaction" >= pg_snapshot_xmin(pg_current_snapshot()) and "transaction" >= ${oldestOpenTransaction} as waiting
      from events where ("transaction", number) > (${String(transaction)}::xid8, ${number}) ${onTopics}
      order by events."transaction", number limit ${limit}`;
  }

  #event({ number, transaction, topic, type, data }: Row): LoggedEvent {
    const cursor = writeCursor(this.#engine, { transaction: BigInt(transaction), number });
    return { topic, type, data: JSON.parse(data) as EventData, cursor };
  }

  async end(): Promise<string> {
    return writeCursor(this.#engine, await this.#end());
  }

  async #end(): Promise<Position> {
    const query =
      this.#engine === "sqlite"
        ? sql<{ transaction: string; number: number }>`select '0' as "transaction", coalesce(max(number), 0) as number from events`
        : sql<{ transaction: string; number: number }>`select ${oldestOpenTransaction}::text as "transaction", 0 as number`;
    const { rows } = await query.execute(this.#db);
    return { transaction: BigInt(rows[0]?.transaction ?? 0), number: rows[0]?.number ?? 0 };
  }

  async isRetained(cursor: string): Promise<boolean> {
    const position = readCursor(this.#engine, cursor);
    if (!position) return false;
    const [oldest, end] = await Promise.all([this.#oldest(), this.#end()]);
    return oldest !== undefined && !isAfter(oldest, position) && !isAfter(position, end);
  }

  async #oldest(): Promise<Position | undefined> {
    const transaction = this.#engine === "sqlite" ? sql`'0'` : sql`events."transaction"::text`;
    const order = this.#engine === "sqlite" ? sql`number` : sql`events."transaction", number`;
    const { rows } = await sql<{ transaction: string; number: number }>`
      select ${transaction} as "transaction", number from events order by ${order} limit 1`.execute(this.#db);
    return rows[0] && { transaction: BigInt(rows[0].transaction), number: rows[0].number };
  }

  /**
   * Call once at start. Inserts a first row, which marks the log's beginning. Removes rows that a dump of another PostgreSQL server brought
   * with transaction numbers that this server has not reached: they would be delivered much later.
   */
  async prepare(now: number): Promise<void> {
    if (this.#engine === "postgres")
      await sql`delete from events where "transaction" >= pg_snapshot_xmax(pg_current_snapshot())`.execute(this.#db);
    if (await this.#oldest()) return;
    const first = { topic: "log", type: "log.began", data: "{}", createdAt: now };
    // Before all running transactions, so that it precedes `end`.
    const transaction = sql<string>`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8`;
    const row = this.#engine === "sqlite" ? first : { ...first, transaction };
    await this.#db.insertInto("events").values(row).execute();
  }

  async removeBefore(time: number): Promise<void> {
    if (this.#engine === "sqlite")
      await sql`delete from events where number < (select max(number) from events where "createdAt" < ${time})`.execute(this.#db);
    else
      await sql`
        delete from events where ("transaction", number) < (
          select "transaction", number from events where "createdAt" < ${time} order by events."transaction" desc, number desc limit 1)`.execute(
        this.#db,
      );
  }
}

/** Milliseconds. */
type ReadDelays = {
  /** Minimum between two reads. */
  betweenReads: number;
  /** The pause before unreadable events are tried again; grows tenfold. */
  waiting: number;
  /** The pause after a failed read; grows a hundredfold. */
  failed: number;
};

const delays: ReadDelays = { betweenReads: 10, waiting: 20, failed: 50 };
const eventsPerBatch = 500;
const maxBatchesInARow = 16;

/** Reads the log from its cursor when woken and delivers each event once, in order. One per process. */
export class Pump {
  readonly #log: EventLog;
  readonly #deliver: (events: LoggedEvent[]) => void;
  readonly #skipped: () => void;
  readonly #report: Log;
  readonly #closing = new AbortController();
  #cursor: string;
  #isRequested = false;
  #running: Promise<void> | undefined;
  #retries = 0;
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
    this.#isRequested = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isRequested) this.wake();
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isRequested && !this.#closing.signal.aborted) {
      this.#isRequested = false;
      let pause = await this.#read();
      for (let reads = 1; pause === 0 && reads < maxBatchesInARow; reads++) pause = await this.#read();
      // Commits during the pause share the next read.
      await wait(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
    }
    this.#isRequested &&= !this.#closing.signal.aborted;
  }

  async #read(): Promise<number> {
    try {
      const { events, waiting } = await this.#log.read(this.#cursor, { limit: eventsPerBatch });
      const lost = this.#failures > 0 && !(await this.#log.isRetained(this.#cursor));
      if (lost) await this.#skip();
      else this.#deliverAll(events);
      this.#failures = 0;
      this.#retries = waiting && events.length === 0 ? this.#retries + 1 : 0;
      if (!waiting && events.length < eventsPerBatch) return delays.betweenReads;
      this.#isRequested = true;
      return waiting ? delays.waiting * Math.min(1 + this.#retries, 10) : 0;
    } catch (error) {
      if (this.#closing.signal.aborted) return 0;
      if (this.#failures++ === 0) this.#report.warn({ err: error }, "events can't be read, trying again");
      this.#isRequested = true;
      return delays.failed * Math.min(2 ** this.#failures, 100);
    }
  }

  #deliverAll(events: LoggedEvent[]): void {
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

type Position = { transaction: bigint; number: number };

const cursorFormats = { sqlite: /^()(\d{1,15})$/, postgres: /^(\d{1,19})-(\d{1,15})$/ };

function writeCursor(engine: Engine, { transaction, number }: Position): string {
  return engine === "sqlite" ? String(number) : `${transaction}-${number}`;
}

/** Undefined for the other engine's: browsers keep their cursors when a site moves. */
export function readCursor(engine: Engine, cursor: string): Position | undefined {
  const match = cursorFormats[engine].exec(cursor);
  return match ? { transaction: BigInt(match[1] || 0), number: Number(match[2]) } : undefined;
}

export function isAfter(one: Position, other: Position): boolean {
  return one.transaction === other.transaction ? one.number > other.number : one.transaction > other.transaction;
}
