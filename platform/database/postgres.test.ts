import { type Generated, Kysely, sql, type Transaction } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../tests/postgres/databases.ts";
import { isDuplicate, isUnreachable } from "./errors.ts";
import { postgresDialect } from "./postgres.ts";
import { guardTransactions } from "./transaction-guard.ts";

type Tables = { notes: { number: Generated<number>; name: string; done: boolean; at: number | null } };

let database: TestDatabase;
let db: Kysely<Tables>;
let lost: Error[];
const open = (url: string, connections = 5) =>
  guardTransactions(new Kysely<Tables>({ dialect: postgresDialect(url, { connections, onConnectionLost: (error) => lost.push(error) }) }));

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  lost = [];
  db = open(database.url);
  await sql`drop table if exists notes`.execute(db);
  await sql`create table notes (number bigserial primary key, name text not null unique, done boolean not null, at bigint)`.execute(db);
});
afterEach(() => db.destroy());

const note = (name: string) => ({ name, done: false, at: null });
const add = (handle: Kysely<Tables>, name: string) => handle.insertInto("notes").values(note(name)).execute();
const names = async (handle: Kysely<Tables>) =>
  (await handle.selectFrom("notes").select("name").orderBy("number").execute()).map((row) => row.name);
const pause = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const fault = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

describe("values", () => {
  test("numbers, times, counts and sums are numbers", async () => {
    const at = Date.UTC(2026, 10, 2);
    await db
      .insertInto("notes")
      .values({ ...note("a"), done: true, at })
      .execute();
    expect(await db.selectFrom("notes").selectAll().execute()).toEqual([{ number: 1, name: "a", done: true, at }]);
    const { count, total } = await db
      .selectFrom("notes")
      .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum<number>("at").as("total")])
      .executeTakeFirstOrThrow();
    expect({ count, total }).toEqual({ count: 1, total: at });
  });

  test("a write returns its affected rows", async () => {
    await add(db, "a");
    await add(db, "b");
    expect((await db.updateTable("notes").set({ done: true }).executeTakeFirst()).numUpdatedRows).toBe(2n);
    expect((await db.deleteFrom("notes").where("name", "=", "nobody").executeTakeFirst()).numDeletedRows).toBe(0n);
    const again = db
      .insertInto("notes")
      .values(note("a"))
      .onConflict((conflict) => conflict.column("name").doNothing());
    expect((await again.executeTakeFirst()).numInsertedOrUpdatedRows).toBe(0n);
  });

  test("NUL becomes U+FFFD", async () => {
    await add(db, "a\0b");
    expect(await names(db)).toEqual(["a\uFFFDb"]);
    expect(await db.selectFrom("notes").select("done").where("name", "=", "a\0b").execute()).toHaveLength(1);
  });

  test("duplicates are recognized", async () => {
    await add(db, "a");
    expect(isDuplicate(await fault(add(db, "a")))).toBe(true);
    expect(isDuplicate(await fault(sql`insert into notes (name) values ('c')`.execute(db)))).toBe(false);
  });
});

describe("a transaction", () => {
  test("that throws is rolled back", async () => {
    const work = db.transaction().execute(async (trx) => {
      await add(trx, "a");
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    expect(await names(db)).toEqual([]);
  });

  test("with a caught failure of a statement fails", async () => {
    await add(db, "a");
    const work = db.transaction().execute(async (trx) => {
      await add(trx, "b");
      await fault(add(trx, "a"));
    });
    await expect(work).rejects.toThrow("Nothing was saved");
    expect(await names(db)).toEqual(["a"]);
  });

  test("is invisible to others until the commit", async () => {
    await db.transaction().execute(async (trx) => {
      await add(trx, "a");
      expect(await names(trx)).toEqual(["a"]);
      expect(await byOthers("select name from notes")).toEqual([]);
    });
    expect(await names(db)).toEqual(["a"]);
  });

  test("concurrent increments are not lost", async () => {
    await db
      .insertInto("notes")
      .values({ ...note("a"), at: 0 })
      .execute();
    const count = () =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable("notes")
          .set((eb) => ({ at: eb("at", "+", 1) }))
          .execute();
        await pause();
      });
    await Promise.all(Array.from({ length: 50 }, count));
    expect((await db.selectFrom("notes").select("at").executeTakeFirst())?.at).toBe(50);
  });
});

describe("inside a transaction the outer handle", () => {
  const refusal = "Inside a transaction only the transaction's own handle may be used.";
  const uses: [string, (trx: Transaction<Tables>) => Promise<unknown>][] = [
    ["reads", () => names(db)],
    ["writes", () => add(db, "outside")],
    ["runs raw SQL", () => sql`select 1`.execute(db)],
    ["opens a transaction", () => db.transaction().execute((inner) => add(inner, "nested"))],
    ["reads after a wait", () => pause(1).then(() => names(db))],
  ];
  test.each(uses)("is rejected when it %s", async (_, use) => {
    await db.transaction().execute(async (trx) => {
      await expect(use(trx)).rejects.toThrow(refusal);
      await add(trx, "inside");
    });
    expect(await names(db)).toEqual(["inside"]);
  });

  test("works again afterwards", async () => {
    const ended = Promise.withResolvers<void>();
    let later: Promise<string[]> | undefined;
    await db.transaction().execute(async (trx) => {
      await add(trx, "a");
      later = ended.promise.then(() => names(db));
    });
    ended.resolve();
    expect(await later).toEqual(["a"]);
  });
});

describe("a broken connection", () => {
  /** Ends all connections, like a restart of the server. */
  const breakAll = () =>
    byOthers("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");

  test("while idle is replaced", async () => {
    await add(db, "a");
    await breakAll();
    await expect.poll(() => lost).toHaveLength(1);
    expect(await names(db)).toEqual(["a"]);
  });

  test("during a statement is reported as such", async () => {
    const waiting = fault(sql`select pg_sleep(25)`.execute(db));
    await expect.poll(() => byOthers("select 1 from pg_stat_activity where query = 'select pg_sleep(25)'")).toHaveLength(1);
    await breakAll();
    expect(isUnreachable(await waiting)).toBe(true);
    expect(await names(db)).toEqual([]);
  });

  test("within a transaction saves nothing", async () => {
    const between = db.transaction().execute(async (trx) => {
      await add(trx, "a");
      await breakAll();
      await pause(50);
      await add(trx, "b");
    });
    expect(isUnreachable(await fault(between))).toBe(true);
    const atTheEnd = db.transaction().execute(async (trx) => {
      await add(trx, "a");
      await breakAll();
    });
    expect(isUnreachable(await fault(atTheEnd))).toBe(true);
    expect(await names(db)).toEqual([]);
  });

  test("is reported like a missing server", async () => {
    const unreachable = open("postgres://localhost:1/nothing");
    expect(isUnreachable(await fault(names(unreachable)))).toBe(true);
    await unreachable.destroy();
  });

  test("and so is a timeout while waiting for a connection", async () => {
    const narrow = open(database.url, 1);
    const free = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const slow = narrow.transaction().execute(() => {
      started.resolve();
      return free.promise;
    });
    await started.promise;
    expect(isUnreachable(await fault(names(narrow)))).toBe(true);
    free.resolve();
    await slow;
    expect(await names(narrow)).toEqual([]);
    await narrow.destroy();
  });
});

test("a slow statement is canceled, and its connection stays usable", async () => {
  const hasty = new Kysely<Tables>({ dialect: postgresDialect(database.url, { connections: 1, statementTimeout: 1_000 }) });
  const error = await fault(sql`select pg_sleep(5)`.execute(hasty));
  expect(String(error)).toContain("statement timeout");
  expect(isUnreachable(error)).toBe(false);
  expect(await names(hasty)).toEqual([]);
  await hasty.destroy();
});

test("statements don't use parallel workers", async () => {
  const { rows } = await sql<{ setting: string }>`select current_setting('max_parallel_workers_per_gather') as setting`.execute(db);
  expect(rows).toEqual([{ setting: "0" }]);
});

/** Runs a statement on a separate connection. */
async function byOthers(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}
