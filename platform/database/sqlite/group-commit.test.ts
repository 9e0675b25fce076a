import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NotSavedError } from "#platform/database/errors.ts";
import { commitsInLog, type Notes, openNotes, refused } from "../../../tests/support/notes.ts";

let notes: Notes;
beforeEach(async () => {
  notes = await openNotes();
});
afterEach(() => notes.close());

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A transaction that has its turn and waits, and another group's worth of work behind it. */
async function busyTurn(name: string) {
  const begun = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const done = notes.inTransaction(async (trx) => {
    await notes.add(name, trx);
    begun.resolve();
    await free.promise;
  });
  await begun.promise;
  return { end: () => free.resolve(), done };
}

describe("writes at the same time", () => {
  const commitsFor = async (work: () => Promise<unknown>) => {
    const before = commitsInLog(notes.file);
    await work();
    return commitsInLog(notes.file) - before;
  };

  test("share one COMMIT, transactions and single statements alike", async () => {
    const many = Array.from({ length: 40 }, (_, i) => (i % 2 ? notes.add(`${i}`) : notes.addInTransaction(`${i}`)));
    expect(await commitsFor(() => Promise.all(many))).toBe(1);
    expect(notes.namesInFile()).toHaveLength(40);
  });

  test("that follow each other have one each", async () => {
    expect(
      await commitsFor(async () => {
        for (const name of ["a", "b", "c"]) await notes.addInTransaction(name);
      }),
    ).toBe(3);
  });

  test("go at most 256 to a COMMIT, and other work gets in between", async () => {
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

  test("are answered after about ten milliseconds, however many come behind them", async () => {
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

describe("an answer", () => {
  test("comes when another process can see the row", async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        await (i % 2 ? notes.add(`${i}`) : notes.addInTransaction(`${i}`));
        return { own: (await notes.names()).includes(`${i}`), elsewhere: notes.namesInFile().includes(`${i}`) };
      }),
    );
    expect(seen).toEqual(Array.from({ length: 20 }, () => ({ own: true, elsewhere: true })));
  });

  test("with rows comes no sooner", async () => {
    const busy = await busyTurn("a");
    const row = notes.db.insertInto("notes").values({ name: "b", text: null }).returning("name").executeTakeFirst();
    const behind = await Promise.all([row.then(() => notes.namesInFile()), notes.add("c"), busy.end()]);
    expect(behind[0]).toEqual(["a", "b", "c"]);
    expect(await row).toEqual({ name: "b" });
  });

  test("comes to a reader of the same process with the whole group or not at all", async () => {
    const busy = await busyTurn("a");
    const more = [notes.addInTransaction("b"), notes.add("c")];
    expect(await notes.names()).toEqual([]);
    busy.end();
    await busy.done;
    expect(await notes.names()).toEqual(["a", "b", "c"]);
    await Promise.all(more);
  });
});

test("a query that nobody waited for does not get into another's turn", async () => {
  let stray: Promise<unknown> | undefined;
  const first = notes.inTransaction(async (trx) => {
    await notes.add("a", trx);
    stray = refused(pause(10).then(() => notes.add("stray", trx)));
  });
  const busy = await busyTurn("b");
  expect(await stray).toMatchObject({ message: "The transaction has ended." });
  busy.end();
  await Promise.all([first, busy.done]);
  expect(await notes.names()).toEqual(["a", "b"]);
});

test("what can't run in a transaction runs between two groups", async () => {
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

  test("writers wait, and this process goes on with everything else", async () => {
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

  test("they give up after a while, those who waited in the queue with them", async () => {
    elsewhere.exec("rollback");
    const hasty = await openNotes({ lockTimeoutMs: 1_500, folder: dirname(notes.file) });
    elsewhere.exec("begin immediate");
    const start = performance.now();
    const errors = await Promise.all(["a", "b", "c", "d"].map((name) => refused(hasty.add(name))));
    expect(performance.now() - start).toBeLessThan(4_500); // One after the other would be six.
    for (const error of errors) expect(error).toBeInstanceOf(NotSavedError);
    elsewhere.exec("rollback");
    await hasty.add("e");
    await hasty.db.destroy();
    expect(await notes.names()).toEqual(["e"]);
  });
});

test("closing waits for what is being written", async () => {
  const other = await openNotes();
  const work = Promise.all([other.add("a"), other.db.transaction().execute((trx) => pause(20).then(() => other.add("b", trx)))]);
  await pause(5);
  await other.db.destroy();
  await work;
  expect(other.namesInFile()).toEqual(["a", "b"]);
  await other.close();
});
