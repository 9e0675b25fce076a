import { type RawBuilder, sql } from "kysely";
import type { Engine } from "../database/engine.ts";
import { jsonRows } from "../database/json-rows.ts";
import type { Database, DatabaseTransaction } from "../database/open.ts";

export type Event = { topic: string; type: string; data?: EventData };
export type EventData = Record<string, string | number | boolean | null>;

export type LoggedEvent = Required<Event> & { cursor: string };

/** `waiting`: events are there that may not be read yet. */
export type Batch = { events: LoggedEvent[]; waiting: boolean };

type Row = { number: number; transaction: string; topic: string; type: string; data: string; waiting: boolean | number };

export const channel = "inkstead_events";

/**
 * On PostgreSQL, the oldest transaction that may still write into this database. A snapshot names those of all databases; one is left out
 * while a connection to another database says that it is its own. What ended since the snapshot is named by nobody, and still counts.
 */
const firstOpen = sql`coalesce(
  (select min(open::text::bigint) from pg_snapshot_xip(pg_current_snapshot()) as open where not exists (
    select 1 from pg_stat_get_activity(null) as activity join pg_database as own on own.datname = current_database()
    where activity.datid <> own.oid and activity.backend_xid::text::bigint = open::text::bigint & 4294967295)),
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text::xid8`;

/**
 * The table of events. On PostgreSQL a row gets its number before its transaction commits, so whoever reads by number
 * passes by a row that is committed later than the next one, and never comes back to it. Hence rows are ordered by
 * transaction first, and read only when every transaction up to theirs has ended: nothing can appear before them any more.
 * A transaction that some other database of the same server has open can write no event here, however long it takes.
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
    const notifying = sql`with added as (${insert} returning number) select pg_notify(${channel}, '')`;
    await (this.#engine === "sqlite" ? insert : notifying).execute(tx);
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
        "transaction" >= pg_snapshot_xmin(pg_current_snapshot()) and "transaction" >= ${firstOpen} as waiting
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
        : sql<{ transaction: string; number: number }>`select ${firstOpen}::text as "transaction", 0 as number`;
    const { rows } = await query.execute(this.#db);
    return { transaction: BigInt(rows[0]?.transaction ?? 0), number: rows[0]?.number ?? 0 };
  }

  async isKept(cursor: string): Promise<boolean> {
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
   * Once at start. The log is never empty, its oldest row marks where it begins. A dump that was restored on another
   * PostgreSQL brings rows of transactions which that one has yet to reach, and they would come up much later.
   */
  async prepare(now: number): Promise<void> {
    if (this.#engine === "postgres")
      await sql`delete from events where "transaction" >= pg_snapshot_xmax(pg_current_snapshot())`.execute(this.#db);
    if (await this.#oldest()) return;
    const mark = { topic: "log", type: "log.began", data: "{}", createdAt: now };
    // Just before what is running now, so that it comes before `end` from the first moment.
    const transaction = sql<string>`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8`;
    const row = this.#engine === "sqlite" ? mark : { ...mark, transaction };
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

/** A place in the order of events. On PostgreSQL rows are ordered by their transaction first. */
type Position = { transaction: bigint; number: number };

const forms = { sqlite: /^()(\d{1,15})$/, postgres: /^(\d{1,19})-(\d{1,15})$/ };

function writeCursor(engine: Engine, { transaction, number }: Position): string {
  return engine === "sqlite" ? String(number) : `${transaction}-${number}`;
}

/** Undefined for a cursor of the other engine: browsers keep theirs while a site moves. */
export function readCursor(engine: Engine, cursor: string): Position | undefined {
  const match = forms[engine].exec(cursor);
  return match ? { transaction: BigInt(match[1] || 0), number: Number(match[2]) } : undefined;
}

export function isAfter(one: Position, other: Position): boolean {
  return one.transaction === other.transaction ? one.number > other.number : one.transaction > other.transaction;
}
