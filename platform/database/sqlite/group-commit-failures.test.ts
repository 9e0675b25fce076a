import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isDuplicate, NotSavedError } from "#platform/database/errors.ts";
import { errorOf, type Notes, type NotesDatabase, openNotes } from "../../../tests/support/notes.ts";

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
      throw new Error(`${name} failed on purpose`);
    });

  test("is rolled back alone if it throws", async () => {
    const outcomes = await Promise.allSettled([failing("a"), notes.addInTransaction("b"), failing("c"), notes.add("d"), failing("e")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled", "rejected"]);
    expect(notes.namesInFile()).toEqual(["b", "d"]);
  });

  test("is rolled back alone if one of its statements fails", async () => {
    const twice = (name: string) =>
      notes.inTransaction(async (trx) => {
        await notes.add(`${name} first`, trx);
        await notes.add("taken", trx);
      });
    const [a, b, c] = await Promise.all([errorOf(twice("a")), errorOf(twice("b")), errorOf(notes.add("taken"))]);
    expect([a, isDuplicate(b), isDuplicate(c)]).toEqual([undefined, true, true]);
    expect(notes.namesInFile()).toEqual(["a first", "taken"]);
  });

  test("rejects once the row that it conflicts with is readable", async () => {
    const first = notes.addInTransaction("taken");
    const second = errorOf(notes.add("taken")).then(() => notes.names());
    expect(await second).toEqual(["taken"]);
    await first;
  });

  test("leaves no transaction open if it is the only one of its group", async () => {
    await errorOf(failing("a"));
    const elsewhere = new DatabaseSync(notes.file, { timeout: 0 });
    expect(() => elsewhere.exec("begin immediate; rollback")).not.toThrow();
    elsewhere.close();
  });
});

describe("a statement that rolls SQLite's transaction back", () => {
  test("fails the whole group", async () => {
    await notes.add("taken");
    const failingTransaction = () =>
      notes.inTransaction(async (trx) => {
        await notes.add("failingTransaction", trx);
        await addOrRollBack("taken", trx);
      });
    const works = [notes.addInTransaction("a"), notes.add("b"), failingTransaction(), notes.addInTransaction("c")];
    const [before, alone, own, after] = await Promise.all(works.map(errorOf));
    for (const error of [before, alone]) {
      expect(error).toBeInstanceOf(NotSavedError);
      expect(isDuplicate(error)).toBe(false);
    }
    expect(isDuplicate(own)).toBe(true);
    expect(after).toBeUndefined();
    expect(notes.namesInFile()).toEqual(["taken", "c"]);
  });

  test("keeps its own transaction from running statements and committing", async () => {
    await notes.add("taken");
    let next: unknown;
    let savepoint: unknown;
    const failingTransaction = notes.inTransaction(async (trx) => {
      await errorOf(addOrRollBack("taken", trx));
      next = await errorOf(notes.add("outside the transaction", trx));
      savepoint = await errorOf(sql`savepoint later`.execute(trx));
    });
    expect(await errorOf(failingTransaction)).toBeInstanceOf(NotSavedError);
    expect([next, savepoint]).toEqual([expect.any(NotSavedError), expect.any(NotSavedError)]);
    await notes.add("b");
    expect(notes.namesInFile()).toEqual(["taken", "b"]);
  });

  test("replaces a conflict error that was due to a row of the group", async () => {
    await notes.add("taken");
    const [, second] = await Promise.all(
      [notes.addInTransaction("a"), notes.add("a"), notes.inTransaction((trx) => addOrRollBack("taken", trx))].map(errorOf),
    );
    expect(second).toBeInstanceOf(NotSavedError);
    await notes.add("a");
  });
});

describe("a COMMIT that fails", () => {
  test("rejects all transactions of the group, and the next group is saved", async () => {
    await sql`create table parts (note integer references notes (number) deferrable initially deferred)`.execute(notes.db);
    const failingTransaction = notes.inTransaction((trx) => sql`insert into parts values (99)`.execute(trx));
    const failed = notes.inTransaction(() => Promise.reject(new Error("on purpose")));
    const errors = await Promise.all([notes.addInTransaction("a"), failingTransaction, failed, notes.add("b")].map(errorOf));
    for (const error of errors) expect(error).toMatchObject({ name: "NotSavedError", message: expect.stringContaining("FOREIGN KEY") });
    await notes.add("c");
    expect(notes.namesInFile()).toEqual(["c"]);
  });
});
