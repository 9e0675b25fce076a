import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Generated, Kysely, sql, type Transaction } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isDuplicate } from "#platform/database/errors.ts";
import { guardTransactions } from "#platform/database/transaction-guard.ts";
import { sqliteDialect } from "./sqlite.ts";

type Tables = { notes: { number: Generated<number>; name: string; done: boolean; maybe: boolean | null } };

let folder: string;
let db: Kysely<Tables>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "inkstead-sqlite-"));
  db = guardTransactions(new Kysely<Tables>({ dialect: sqliteDialect(join(folder, "test.db")) }));
  await sql`create table notes (number integer primary key, name text not null unique, done boolean not null, maybe boolean)`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const note = (name: string) => ({ name, done: false, maybe: null });
const add = (handle: Kysely<Tables>, name: string) => handle.insertInto("notes").values(note(name)).execute();
const names = async (handle: Kysely<Tables>) =>
  (await handle.selectFrom("notes").select("name").orderBy("number").execute()).map((row) => row.name);
const pause = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("values", () => {
  test("booleans are returned as booleans, null as null", async () => {
    await db.insertInto("notes").values({ name: "a", done: true, maybe: null }).execute();
    await db.insertInto("notes").values({ name: "b", done: false, maybe: true }).execute();
    expect(await db.selectFrom("notes").select(["done", "maybe as perhaps"]).execute()).toEqual([
      { done: true, perhaps: null },
      { done: false, perhaps: true },
    ]);
    const changed = await db.updateTable("notes").set({ done: true }).where("name", "=", "b").returning(["name", "done"]).execute();
    expect(changed).toEqual([{ name: "b", done: true }]);
    expect(await db.selectFrom("notes").select("name").where("done", "=", true).execute()).toHaveLength(2);
  });

  test("a write returns the inserted id and the number of affected rows", async () => {
    const { insertId } = await db.insertInto("notes").values(note("a")).executeTakeFirstOrThrow();
    await add(db, "b");
    expect(insertId).toBe(1n);
    expect((await db.updateTable("notes").set({ done: true }).executeTakeFirst()).numUpdatedRows).toBe(2n);
    expect((await db.deleteFrom("notes").where("name", "=", "nobody").executeTakeFirst()).numDeletedRows).toBe(0n);
  });

  test("more distinct statements than the cache holds keep working", async () => {
    for (let i = 0; i < 520; i++) await sql.raw(`select ${i} as i`).execute(db);
    expect((await sql<{ i: number }>`select 0 as i`.execute(db)).rows).toEqual([{ i: 0 }]);
  });
});

describe("a duplicate row", () => {
  test("is distinguished from other errors", async () => {
    await add(db, "a");
    const again = await add(db, "a").catch((error: unknown) => error);
    expect(isDuplicate(again)).toBe(true);
    const sameNumber = await sql`insert into notes (number, name, done) values (1, 'b', false)`
      .execute(db)
      .catch((error: unknown) => error);
    expect(isDuplicate(sameNumber)).toBe(true);
    const missing = await sql`insert into notes (name) values ('c')`.execute(db).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(Error);
    expect(isDuplicate(missing)).toBe(false);
  });

  test("leaves the rest of the transaction intact", async () => {
    await add(db, "a");
    await db.transaction().execute(async (trx) => {
      await add(trx, "b");
      await expect(add(trx, "a")).rejects.toThrow(/UNIQUE/);
      await add(trx, "c");
    });
    expect(await names(db)).toEqual(["a", "b", "c"]);
  });
});

describe("a transaction", () => {
  test("that throws is rolled back", async () => {
    const work = db.transaction().execute(async (trx) => {
      await add(trx, "a");
      throw new Error("on purpose");
    });
    await expect(work).rejects.toThrow("on purpose");
    expect(await names(db)).toEqual([]);
    await add(db, "b");
    expect(await names(db)).toEqual(["b"]);
  });

  test("that can't commit is rolled back, and others keep working", async () => {
    await sql`create table parts (note integer references notes(number) deferrable initially deferred)`.execute(db);
    const work = db.transaction().execute(async (trx) => {
      await add(trx, "a");
      await sql`insert into parts values (99)`.execute(trx);
    });
    await expect(work).rejects.toThrow(/FOREIGN KEY/);
    await add(db, "b");
    expect(await names(db)).toEqual(["b"]);
  });

  test("is invisible to others until the commit", async () => {
    let inside: string[] = [];
    let outside: string[] = [];
    const written = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<void>();
    const work = db.transaction().execute(async (trx) => {
      await add(trx, "a");
      inside = await names(trx);
      written.resolve();
      await seen.promise;
    });
    await written.promise;
    outside = await names(db);
    seen.resolve();
    await work;
    expect({ inside, outside }).toEqual({ inside: ["a"], outside: [] });
    expect(await names(db)).toEqual(["a"]);
  });

  test("waits for earlier ones, as single writes do", async () => {
    const order: string[] = [];
    const slow = (name: string) =>
      db.transaction().execute(async (trx) => {
        order.push(`${name} begins`);
        await add(trx, name);
        await pause(5);
        order.push(`${name} ends`);
      });
    await Promise.all([slow("a"), add(db, "b"), slow("c")]);
    expect(order).toEqual(["a begins", "a ends", "c begins", "c ends"]);
    expect((await names(db)).toSorted()).toEqual(["a", "b", "c"]);
  });

  test("loses no concurrent increment", async () => {
    await add(db, "0");
    const count = () =>
      db.transaction().execute(async (trx) => {
        const { name } = await trx.selectFrom("notes").select("name").executeTakeFirstOrThrow();
        await pause();
        await trx
          .updateTable("notes")
          .set({ name: String(Number(name) + 1) })
          .execute();
      });
    await Promise.all(Array.from({ length: 50 }, count));
    expect(await names(db)).toEqual(["50"]);
  });

  test("is readable by other processes", async () => {
    await db.transaction().execute((trx) => add(trx, "a"));
    const elsewhere = new DatabaseSync(join(folder, "test.db"), { readOnly: true });
    expect(elsewhere.prepare("select count(*) as n from notes").get()).toEqual({ n: 1 });
    expect(elsewhere.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    elsewhere.close();
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
    await expect(db.transaction().execute(use)).rejects.toThrow(refusal);
    await db.transaction().execute(async (trx) => {
      await expect(use(trx)).rejects.toThrow(refusal);
      await add(trx, "inside");
    });
    expect(await names(db)).toEqual(["inside"]);
  });

  test("works again after the transaction", async () => {
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
