import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { NotSavedError } from "#platform/database/errors.ts";
import { makeSmallDisks } from "../../../tests/faults/small-disks.ts";
import { type Notes, type NotesDatabase, openNotes } from "../../../tests/support/notes.ts";

const page = "x".repeat(3500);
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const addPage = (handle: NotesDatabase, name: string) => handle.insertInto("notes").values({ name, text: page }).execute();
const expectIntact = async ({ db }: Notes) =>
  expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: "ok" }]);

const disks = makeSmallDisks();
afterAll(() => {
  for (const disk of disks) disk.remove();
});

describe.each(disks)("a disk that is full at COMMIT, $name", (disk) => {
  const full = { name: "NotSavedError", message: `Nothing was saved: ${disk.fault}` };
  const leaveSpace = (bytes: number) => disk.leave(bytes, notes.file);
  let notes: Notes;
  beforeEach(async () => {
    notes = await openNotes({ folder: mkdtempSync(join(disk.folder, "site-")) });
    await notes.add("before");
  });
  afterEach(async () => {
    disk.makeRoom();
    await notes.close();
  });

  test.each([0, 4096, 40_000])("rejects the whole group with %i bytes left, and accepts writes again once there is space", async (left) => {
    leaveSpace(left);
    let worked = 0;
    const transactions = Array.from({ length: 20 }, (_, i) =>
      notes.db.transaction().execute(async (trx) => {
        await addPage(trx, `${i}`);
        worked++;
      }),
    );
    const errors = await Promise.all([...transactions, addPage(notes.db, "single")].map(errorOf));

    expect(worked).toBe(20); // So the COMMIT failed.
    expect(errors).toEqual(Array.from({ length: 21 }, () => expect.objectContaining(full)));
    expect(await notes.names()).toEqual(["before"]);
    expect(notes.namesInFile()).toEqual(["before"]);

    disk.makeRoom();
    await Promise.all(["after 1", "after 2"].map((name) => addPage(notes.db, name)));
    expect(notes.namesInFile()).toEqual(["before", "after 1", "after 2"]);
    await expectIntact(notes);
  });

  test("rejects writes and serves reads until there is space", async () => {
    leaveSpace(0);
    for (let i = 0; i < 5; i++) expect(await errorOf(addPage(notes.db, `${i}`))).toMatchObject(full);
    expect(await notes.names()).toEqual(["before"]);
  });

  test("rejects the group's other transactions too", async () => {
    leaveSpace(20_000);
    const large = notes.db.transaction().execute(async (trx) => {
      for (let i = 0; i < 20; i++) await addPage(trx, `large ${i}`);
    });
    const small = notes.add("small");
    const failed = notes.db.transaction().execute(() => Promise.reject(new Error("on purpose")));
    expect(await Promise.all([large, small, failed].map(errorOf))).toEqual(Array(3).fill(expect.objectContaining(full)));
    await notes.add("small");
    expect(notes.namesInFile()).toEqual(["before", "small"]);
  });

  test("keeps exactly the acknowledged writes when it fills up under load", async () => {
    leaveSpace(300_000);
    const saved: string[] = ["before"];
    const refusals: unknown[] = [];
    const write = async (name: string) => {
      const error = await errorOf(addPage(notes.db, name));
      if (error) refusals.push(error);
      else saved.push(name);
    };
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 8 }, (_, i) => write(`${round}.${i}`)));
    expect(saved.length).toBeGreaterThan(10);
    expect(refusals.length).toBeGreaterThan(10);
    for (const error of refusals) expect(error).toBeInstanceOf(NotSavedError);
    expect(notes.namesInFile().toSorted()).toEqual(saved.toSorted());

    disk.makeRoom();
    await notes.add("after");
    await expectIntact(notes);
  });

  test("lets the database close", async () => {
    leaveSpace(0);
    expect(await errorOf(addPage(notes.db, "a"))).toMatchObject(full);
    await notes.db.destroy();
    disk.makeRoom();
    expect(notes.namesInFile()).toEqual(["before"]);
  });
});

describe("a disk that is full in the middle of a statement", () => {
  const full = { name: "NotSavedError", message: "Nothing was saved: database or disk is full" };
  let notes: Notes;
  const allowGrowth = async (pages: number) => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(notes.db);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + pages}`).execute(notes.db);
  };
  beforeEach(async () => {
    notes = await openNotes();
    await notes.add("before");
  });
  afterEach(() => notes.close());

  test("rolls the group back and rejects all of its transactions", async () => {
    await allowGrowth(3);
    let next: unknown;
    const earlier = notes.db.transaction().execute((trx) => notes.add("earlier", trx));
    const large = notes.db.transaction().execute(async (trx) => {
      for (let i = 0; i < 6; i++) await addPage(trx, `${i}`).catch(() => undefined);
      next = await errorOf(notes.add("outside the transaction", trx));
    });
    const later = notes.db.transaction().execute((trx) => notes.add("later", trx));
    const errors = await Promise.all([earlier, large, later].map(errorOf));
    expect(errors).toEqual([expect.objectContaining(full), expect.objectContaining(full), undefined]);
    expect(next).toMatchObject(full);
    expect(notes.namesInFile()).toEqual(["before", "later"]);
  });

  test("rolls one transaction back if SQLite undoes its statement only", async () => {
    await allowGrowth(3);
    const earlier = notes.db.transaction().execute((trx) => notes.add("earlier", trx));
    const rows = Array.from({ length: 6 }, (_, i) => ({ name: `${i}`, text: page }));
    const large = notes.db.insertInto("notes").values(rows).execute();
    expect(await Promise.all([earlier, large].map(errorOf))).toEqual([undefined, expect.objectContaining(full)]);
    expect(notes.namesInFile()).toEqual(["before", "earlier"]);
  });

  test("accepts writes again once there is space", async () => {
    await allowGrowth(0);
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, i) => errorOf(addPage(notes.db, `${i}`))));
    const saved = outcomes.flatMap((error, i) => (error ? [] : [`${i}`]));
    expect(notes.namesInFile().toSorted()).toEqual(["before", ...saved].toSorted());
    await allowGrowth(100);
    await addPage(notes.db, "after");
    expect(notes.namesInFile()).toContain("after");
    await expectIntact(notes);
  });
});
