import { DatabaseSync } from "node:sqlite";
import { type ControlledTransaction, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isDuplicate, NotSavedError } from "#platform/database/errors.ts";
import { type Notes, type NotesDatabase, type NotesTables, openNotes, refused } from "../../../tests/support/notes.ts";

let notes: Notes;
beforeEach(async () => {
  notes = await openNotes();
});
afterEach(() => notes.close());

const addOrRollBack = (name: string, handle: NotesDatabase) => sql`insert or rollback into notes (name) values (${name})`.execute(handle);

describe("a transaction that fails inside a group", () => {
  const failing = (name: string) =>
    notes.inTransaction(async (trx) => {
      await notes.add(name, trx);
      throw new Error(`${name} changed its mind`);
    });

  test("is rolled back alone", async () => {
    const outcomes = await Promise.allSettled([failing("a"), notes.addInTransaction("b"), failing("c"), notes.add("d"), failing("e")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled", "rejected"]);
    expect(notes.namesInFile()).toEqual(["b", "d"]);
  });

  test("by a statement that is refused is rolled back alone", async () => {
    const twice = (name: string) =>
      notes.inTransaction(async (trx) => {
        await notes.add(`${name} first`, trx);
        await notes.add("taken", trx);
      });
    const [a, b, c] = await Promise.all([refused(twice("a")), refused(twice("b")), refused(notes.add("taken"))]);
    expect([a, isDuplicate(b), isDuplicate(c)]).toEqual([undefined, true, true]);
    expect(notes.namesInFile()).toEqual(["a first", "taken"]);
  });

  test("hears of it when what it failed on can be read", async () => {
    const first = notes.addInTransaction("taken");
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
    const neighbour = notes.addInTransaction("neighbour");
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
    const neighbour = notes.addInTransaction("neighbour");
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
      notes.inTransaction(async (trx) => {
        await notes.add("culprit", trx);
        await addOrRollBack("taken", trx);
      });
    const works = [notes.addInTransaction("a"), notes.add("b"), culprit(), notes.addInTransaction("c")];
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
    const culprit = notes.inTransaction(async (trx) => {
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
      [notes.addInTransaction("a"), notes.add("a"), notes.inTransaction((trx) => addOrRollBack("taken", trx))].map(refused),
    );
    expect(second).toBeInstanceOf(NotSavedError);
    await notes.add("a");
  });
});

describe("a COMMIT that is refused", () => {
  test("is answered to everybody in the group, and the next group is saved", async () => {
    await sql`create table parts (note integer references notes (number) deferrable initially deferred)`.execute(notes.db);
    const culprit = notes.inTransaction((trx) => sql`insert into parts values (99)`.execute(trx));
    const failed = notes.inTransaction(() => Promise.reject(new Error("changed my mind")));
    const errors = await Promise.all([notes.addInTransaction("a"), culprit, failed, notes.add("b")].map(refused));
    for (const error of errors) expect(error).toMatchObject({ name: "NotSavedError", message: expect.stringContaining("FOREIGN KEY") });
    await notes.add("c");
    expect(notes.namesInFile()).toEqual(["c"]);
  });
});
