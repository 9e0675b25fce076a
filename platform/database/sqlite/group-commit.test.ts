import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NotSavedError } from "#platform/database/errors.ts";
import { commitsInLog, errorOf, type Notes, openNotes } from "../../../tests/support/notes.ts";

let notes: Notes;
beforeEach(async () => {
  notes = await openNotes();
});
afterEach(() => notes.close());

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** An open transaction that others wait for until `end`. */
async function openTransaction(name: string) {
  const started = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const done = notes.inTransaction(async (trx) => {
    await notes.add(name, trx);
    started.resolve();
    await free.promise;
  });
  await started.promise;
  return { end: () => free.resolve(), done };
}

describe("concurrent writes", () => {
  const commitsFor = async (work: () => Promise<unknown>) => {
    const before = commitsInLog(notes.file);
    await work();
    return commitsInLog(notes.file) - before;
  };

  test("share one COMMIT, whether transactions or single statements", async () => {
    const many = Array.from({ length: 40 }, (_, i) => (i % 2 ? notes.add(`${i}`) : notes.addInTransaction(`${i}`)));
    expect(await commitsFor(() => Promise.all(many))).toBe(1);
    expect(notes.namesInFile()).toHaveLength(40);
  });

  test("have a COMMIT each if they run in sequence", async () => {
    expect(
      await commitsFor(async () => {
        for (const name of ["a", "b", "c"]) await notes.addInTransaction(name);
      }),
    ).toBe(3);
  });

  test("share a COMMIT by 256 at most, and let other work run in between", async () => {
    let breaks = 0;
    const count = () => {
      breaks++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const many = Array.from({ length: 600 }, (_, i) => notes.add(`${i}`));
    expect(await commitsFor(() => Promise.all(many))).toBeGreaterThanOrEqual(3);
    clearImmediate(timer);
    expect(breaks).toBeGreaterThanOrEqual(2);
  });

  test("are committed after about ten milliseconds, however many follow", async () => {
    const notes = await openNotes({ maxGroupMs: 10 });
    const slow = (name: string) =>
      notes.db.transaction().execute(async (trx) => {
        await notes.add(name, trx);
        await pause(4);
      });
    const saved: string[] = [];
    const names = Array.from({ length: 12 }, (_, i) => `${i}`);
    const all = Promise.all(names.map((name) => slow(name).then(() => saved.push(name))));
    while (saved.length === 0) await pause(1);
    expect(saved.length).toBeLessThan(6);
    expect(notes.namesInFile()).toEqual(saved);
    await all;
    await notes.close();
  });
});

describe("a write resolves", () => {
  test("once other processes see the row", async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        await (i % 2 ? notes.add(`${i}`) : notes.addInTransaction(`${i}`));
        return { own: (await notes.names()).includes(`${i}`), elsewhere: notes.namesInFile().includes(`${i}`) };
      }),
    );
    expect(seen).toEqual(Array.from({ length: 20 }, () => ({ own: true, elsewhere: true })));
  });

  test("not earlier if it returns rows", async () => {
    const open = await openTransaction("a");
    const row = notes.db.insertInto("notes").values({ name: "b", text: null }).returning("name").executeTakeFirst();
    const behind = await Promise.all([row.then(() => notes.namesInFile()), notes.add("c"), open.end()]);
    expect(behind[0]).toEqual(["a", "b", "c"]);
    expect(await row).toEqual({ name: "b" });
  });

  test("once readers of the same process see the whole group", async () => {
    const open = await openTransaction("a");
    const more = [notes.addInTransaction("b"), notes.add("c")];
    expect(await notes.names()).toEqual([]);
    open.end();
    await open.done;
    expect(await notes.names()).toEqual(["a", "b", "c"]);
    await Promise.all(more);
  });
});

test("rejects a query that runs after its transaction has ended", async () => {
  let late: Promise<unknown> | undefined;
  const first = notes.inTransaction(async (trx) => {
    await notes.add("a", trx);
    late = errorOf(pause(10).then(() => notes.add("late", trx)));
  });
  const open = await openTransaction("b");
  expect(await late).toMatchObject({ message: "The transaction has ended." });
  open.end();
  await Promise.all([first, open.done]);
  expect(await notes.names()).toEqual(["a", "b"]);
});

test("runs statements that can't be in a transaction between two groups", async () => {
  const before = notes.addInTransaction("a");
  const settings = sql<{ synchronous: number }>`pragma synchronous`.execute(notes.db);
  await Promise.all([before, sql`vacuum`.execute(notes.db), notes.addInTransaction("b")]);
  expect((await settings).rows).toEqual([{ synchronous: 2 }]);
});

describe("while another process writes", () => {
  let elsewhere: DatabaseSync;
  beforeEach(() => {
    elsewhere = new DatabaseSync(notes.file);
    elsewhere.exec("begin immediate");
  });
  afterEach(() => elsewhere.close());

  test("writers wait without blocking the process", async () => {
    let saved = false;
    const work = Promise.all([notes.addInTransaction("a"), notes.add("b")]).then(() => {
      saved = true;
    });
    const start = performance.now();
    await pause(50);
    expect(await notes.names()).toEqual([]);
    expect(performance.now() - start).toBeLessThan(4_000); // Their timeout is five seconds.
    expect(saved).toBe(false);
    elsewhere.exec("insert into notes (name) values ('elsewhere'); commit");
    await work;
    expect(await notes.names()).toEqual(["elsewhere", "a", "b"]);
  });

  test("all waiting writers fail after the timeout", async () => {
    elsewhere.exec("rollback");
    const impatient = await openNotes({ lockTimeoutMs: 1_500, folder: dirname(notes.file) });
    elsewhere.exec("begin immediate");
    const start = performance.now();
    const errors = await Promise.all(["a", "b", "c", "d"].map((name) => errorOf(impatient.add(name))));
    expect(performance.now() - start).toBeLessThan(4_500); // One after the other would be six.
    for (const error of errors) expect(error).toBeInstanceOf(NotSavedError);
    elsewhere.exec("rollback");
    await impatient.add("e");
    await impatient.db.destroy();
    expect(await notes.names()).toEqual(["e"]);
  });
});

test("closing waits for running writes", async () => {
  const other = await openNotes();
  const work = Promise.all([other.add("a"), other.db.transaction().execute((trx) => pause(20).then(() => other.add("b", trx)))]);
  await pause(5);
  await other.db.destroy();
  await work;
  expect(other.namesInFile()).toEqual(["a", "b"]);
  await other.close();
});
