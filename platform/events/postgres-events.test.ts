import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "#platform/database/migrate.ts";
import { type Database, openDatabase } from "#platform/database/open.ts";
import { createLog } from "#platform/log.ts";
import { createDatabase, type TestDatabase } from "../../tests/postgres/databases.ts";
import { EventLog, type LoggedEvent } from "./event-log.ts";
import { type Events, type gap, openEvents } from "./events.ts";
import { listenerName } from "./postgres-listener.ts";

// Only on PostgreSQL: concurrent transactions and lost connections.

let database: TestDatabase;
let db: Database;
let events: Events;
beforeEach(async () => {
  database = await createDatabase();
  const config = { dataDir: "", databaseUrl: database.url, databaseConnections: 5 };
  await migrate(config);
  ({ db } = openDatabase(config));
  events = await openEvents({ db, engine: "postgres", databaseUrl: database.url, now: Date.now, log: createLog("silent") });
});
afterEach(async () => {
  await events.close();
  await db.destroy();
  await database.drop();
});

const publish = (type: string) => db.transaction().execute((tx) => events.append(tx, [{ topic: "posts", type }], Date.now()));

function listen(): LoggedEvent[] {
  const received: LoggedEvent[] = [];
  events.subscribe("posts", (event) => received.push(event));
  return received;
}

const types = (received: LoggedEvent[] | typeof gap) => (typeof received === "string" ? received : received.map(({ type }) => type));

/** An open transaction that has appended an event. */
async function begin(type: string) {
  const appended = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const done = db.transaction().execute(async (tx) => {
    await events.append(tx, [{ topic: "posts", type }], Date.now());
    appended.resolve();
    await end.promise;
  });
  done.catch(() => {});
  await appended.promise;
  const finish = (how: "commit" | "rollback") => (how === "commit" ? end.resolve() : end.reject(new Error("rolled back")));
  return { done, finish };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 150));

test("an event numbered first and committed last is not missed", async () => {
  const received = listen();
  const start = events.latest();
  const first = await begin("first");
  await publish("second");
  await pause();
  expect(types(received)).toEqual([]);
  expect(types(await events.readAfter(start, ["posts"]))).toEqual([]);
  first.finish("commit");
  await first.done;
  await expect.poll(() => types(received)).toEqual(["first", "second"]);
  expect(types(await events.readAfter(start, ["posts"]))).toEqual(["first", "second"]);
  await publish("third");
  await expect.poll(() => types(received)).toEqual(["first", "second", "third"]);
});

test("an open transaction of another database delays nothing", async () => {
  const other = await createDatabase();
  const client = new pg.Client(other.url);
  await client.connect();
  try {
    await client.query("begin; create table held (id int)");
    const received = listen();
    const start = events.latest();
    await publish("first");
    await expect.poll(() => types(received)).toEqual(["first"]);
    expect(types(await events.readAfter(start, ["posts"]))).toEqual(["first"]);
    expect(types(await events.readAfter(events.latest(), ["posts"]))).toEqual([]);
  } finally {
    await client.end();
    await other.drop();
  }
});

test("events waiting for a transaction are delivered after its rollback, which sends no notification", async () => {
  const received = listen();
  const first = await begin("first");
  await publish("second");
  await pause();
  first.finish("rollback");
  await expect(first.done).rejects.toThrow("rolled back");
  await expect.poll(() => types(received)).toEqual(["second"]);
});

test("a pump catches up in order after losing its connection, without duplicates", async () => {
  const received = listen();
  const own = sql`from pg_stat_activity where application_name = ${listenerName} and datname = current_database()`;
  const cut = () => sql`select pg_terminate_backend(pid) ${own}`.execute(db);
  const listeners = async () => (await sql`select pid ${own}`.execute(db)).rows;
  const written: string[] = [];
  const write = async (type: string) => {
    written.push(type);
    await publish(type);
  };
  await write("before");
  await expect.poll(() => types(received)).toEqual(["before"]);
  for (let i = 0; i < 5; i++) {
    await cut();
    for (let j = 0; j < 10; j++) await write(`${i}.${j}`);
    await pause();
  }
  await expect.poll(() => received.length).toBe(written.length);
  expect(types(received)).toEqual(written);
  await expect.poll(listeners).toHaveLength(1);
});

test("rows with future transaction numbers, from a restored dump, are deleted", async () => {
  const log = new EventLog(db, "postgres");
  await sql`insert into events (topic, type, data, "createdAt", "transaction") values ('posts', 'foreign', '{}', 1, '9000000000')`.execute(
    db,
  );
  await log.prepare(Date.now());
  const { rows } = await sql`select 1 from events where type = 'foreign'`.execute(db);
  expect(rows).toEqual([]);
  const received = listen();
  await publish("own");
  await expect.poll(() => types(received)).toEqual(["own"]);
});
