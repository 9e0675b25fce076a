import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ControlledTransaction, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commitsInLog, type Notes, type NotesDatabase, type NotesTables, openNotes } from "../../tests/support/notes.ts";
import { isDuplicate, NotSavedError } from "./errors.ts";

let notes: Notes;
beforeEach(async () => {
  notes = await openNotes();
});
afterEach(() => notes.close());

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const inTransaction = <Result>(work: (trx: NotesDatabase) => Promise<Result>) => notes.db.transaction().execute(work);
const addInTransaction = (name: string) => inTransaction((trx) => notes.add(name, trx));
const refused = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const addOrRollBack = (name: string, handle: NotesDatabase) => sql`insert or rollback into notes (name) values (${name})`.execute(handle);

/** A transaction that has its turn and waits, and another group's worth of work behind it. */
async function busyTurn(name: string) {
  const begun = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const done = inTransaction(async (trx) => {
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
    const many = Array.from({ length: 40 }, (_, i) => (i % 2 ? notes.add(`${i}`) : addInTransaction(`${i}`)));
    expect(await commitsFor(() => Promise.all(many))).toBe(1);
    expect(notes.namesInFile()).toHaveLength(40);
  });

  test("that follow each other have one each", async () => {
    expect(
      await commitsFor(async () => {
        for (const name of ["a", "b", "c"]) await addInTransaction(name);
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
    const notes = await openNotes({ groupFor: 10 });
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
        await (i % 2 ? notes.add(`${i}`) : addInTransaction(`${i}`));
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
    const more = [addInTransaction("b"), notes.add("c")];
    expect(await notes.names()).toEqual([]);
    busy.end();
    await busy.done;
    expect(await notes.names()).toEqual(["a", "b", "c"]);
    await Promise.all(more);
  });
});

describe("a transaction that fails inside a group", () => {
  const failing = (name: string) =>
    inTransaction(async (trx) => {
      await notes.add(name, trx);
      throw new Error(`${name} changed its mind`);
    });

  test("is rolled back alone", async () => {
    const outcomes = await Promise.allSettled([failing("a"), addInTransaction("b"), failing("c"), notes.add("d"), failing("e")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled", "rejected"]);
    expect(notes.namesInFile()).toEqual(["b", "d"]);
  });

  test("by a statement that is refused is rolled back alone", async () => {
    const twice = (name: string) =>
      inTransaction(async (trx) => {
        await notes.add(`${name} first`, trx);
        await notes.add("taken", trx);
      });
    const [a, b, c] = await Promise.all([refused(twice("a")), refused(twice("b")), refused(notes.add("taken"))]);
    expect([a, isDuplicate(b), isDuplicate(c)]).toEqual([undefined, true, true]);
    expect(notes.namesInFile()).toEqual(["a first", "taken"]);
  });

  test("hears of it when what it failed on can be read", async () => {
    const first = addInTransaction("taken");
    const second = refused(notes.add("taken")).then(() => notes.names());
    expect(await second).toEqual(["taken"]);
    await first;
  });

  test("alone in it leaves no transaction open behind it", async () => {
    await refused(failing("a"));
    const elsewhere = new DatabaseSync(notes.file, { timeout: 0 });
    expect(() => elsewhere.exec("begin immediate; rollback")).not.toThrow();
    elsewhere.close();
  });
});

describe("savepoints of a transaction's own", () => {
  const controlled = async (work: (trx: ControlledTransaction<NotesTables>) => Promise<unknown>) => {
    const trx = await notes.db.startTransaction().execute();
    await work(trx);
    await trx.commit().execute();
  };

  test("are undone without the rest", async () => {
    const neighbour = addInTransaction("neighbour");
    await controlled(async (trx) => {
      await notes.add("a", trx);
      const inner = await trx.savepoint("inner").execute();
      await notes.add("b", inner);
      await refused(notes.add("neighbour", inner));
      const innermost = await inner.savepoint("innermost").execute();
      await notes.add("c", innermost);
      await innermost.releaseSavepoint("innermost").execute();
      await inner.rollbackToSavepoint("inner").execute();
      await notes.add("d", trx);
    });
    await neighbour;
    expect(notes.namesInFile()).toEqual(["neighbour", "a", "d"]);
  });

  test("left open are saved with it", async () => {
    const neighbour = addInTransaction("neighbour");
    await controlled(async (trx) => notes.add("a", await trx.savepoint("open").execute()));
    await neighbour;
    await notes.add("b");
    expect(notes.namesInFile()).toEqual(["neighbour", "a", "b"]);
  });
});

describe("a statement that rolls everything back by itself", () => {
  test("takes the group with it, and nobody is told that it was saved", async () => {
    await notes.add("taken");
    const culprit = () =>
      inTransaction(async (trx) => {
        await notes.add("culprit", trx);
        await addOrRollBack("taken", trx);
      });
    const works = [addInTransaction("a"), notes.add("b"), culprit(), addInTransaction("c")];
    const [before, alone, own, after] = await Promise.all(works.map(refused));
    for (const lost of [before, alone]) {
      expect(lost).toBeInstanceOf(NotSavedError);
      expect(isDuplicate(lost)).toBe(false);
    }
    expect(isDuplicate(own)).toBe(true);
    expect(after).toBeUndefined();
    expect(notes.namesInFile()).toEqual(["taken", "c"]);
  });

  test("lets its own transaction do no more, and not commit", async () => {
    await notes.add("taken");
    let next: unknown;
    let savepoint: unknown;
    const culprit = inTransaction(async (trx) => {
      await refused(addOrRollBack("taken", trx));
      next = await refused(notes.add("alone by accident", trx));
      savepoint = await refused(sql`savepoint later`.execute(trx));
    });
    expect(await refused(culprit)).toBeInstanceOf(NotSavedError);
    expect([next, savepoint]).toEqual([expect.any(NotSavedError), expect.any(NotSavedError)]);
    await notes.add("b");
    expect(notes.namesInFile()).toEqual(["taken", "b"]);
  });

  test("corrects what somebody would have been told because of a neighbour's row", async () => {
    await notes.add("taken");
    const [, second] = await Promise.all(
      [addInTransaction("a"), notes.add("a"), inTransaction((trx) => addOrRollBack("taken", trx))].map(refused),
    );
    expect(second).toBeInstanceOf(NotSavedError);
    await notes.add("a");
  });
});

describe("a COMMIT that is refused", () => {
  test("is answered to everybody in the group, and the next group is saved", async () => {
    await sql`create table parts (note integer references notes (number) deferrable initially deferred)`.execute(notes.db);
    const culprit = inTransaction((trx) => sql`insert into parts values (99)`.execute(trx));
    const failed = inTransaction(() => Promise.reject(new Error("changed my mind")));
    const errors = await Promise.all([addInTransaction("a"), culprit, failed, notes.add("b")].map(refused));
    for (const error of errors) expect(error).toMatchObject({ name: "NotSavedError", message: expect.stringContaining("FOREIGN KEY") });
    await notes.add("c");
    expect(notes.namesInFile()).toEqual(["c"]);
  });
});

test("a query that nobody waited for does not get into another's turn", async () => {
  let stray: Promise<unknown> | undefined;
  const first = inTransaction(async (trx) => {
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
  const before = addInTransaction("a");
  const settings = sql<{ synchronous: number }>`pragma synchronous`.execute(notes.db);
  await Promise.all([before, sql`vacuum`.execute(notes.db), addInTransaction("b")]);
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
    const work = Promise.all([addInTransaction("a"), notes.add("b")]).then(() => {
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
