import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { NotSavedError } from "#platform/database/errors.ts";
import { makeSmallDisks } from "../../../tests/faults/small-disks.ts";
import { type Notes, type NotesDatabase, openNotes } from "../../../tests/support/notes.ts";

const page = "x".repeat(3500);
const refused = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const addPage = (handle: NotesDatabase, name: string) => handle.insertInto("notes").values({ name, text: page }).execute();
const isWhole = async ({ db }: Notes) => expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: "ok" }]);

const disks = makeSmallDisks();
afterAll(() => {
  for (const disk of disks) disk.remove();
});

describe.each(disks)("at COMMIT, on $name", (disk) => {
  const full = { name: "NotSavedError", message: `Nothing was saved: ${disk.fault}` };
  const leave = (bytes: number) => disk.leave(bytes, notes.file);
  let notes: Notes;
  beforeEach(async () => {
    notes = await openNotes({ folder: mkdtempSync(join(disk.folder, "site-")) });
    await notes.add("before");
  });
  afterEach(async () => {
    disk.makeRoom();
    await notes.close();
  });

  test.each([0, 4096, 40_000])("with %i bytes: refuses the whole group, keeps nothing of it, and works again with room", async (left) => {
    leave(left);
    let worked = 0;
    const transactions = Array.from({ length: 20 }, (_, i) =>
      notes.db.transaction().execute(async (trx) => {
        await addPage(trx, `${i}`);
        worked++;
      }),
    );
    const errors = await Promise.all([...transactions, addPage(notes.db, "single")].map(refused));

    expect(worked).toBe(20); // So it was the COMMIT that was refused.
    expect(errors).toEqual(Array.from({ length: 21 }, () => expect.objectContaining(full)));
    expect(await notes.names()).toEqual(["before"]);
    expect(notes.namesInFile()).toEqual(["before"]);

    disk.makeRoom();
    await Promise.all(["after 1", "after 2"].map((name) => addPage(notes.db, name)));
    expect(notes.namesInFile()).toEqual(["before", "after 1", "after 2"]);
    await isWhole(notes);
  });

  test("goes on refusing while it is full, and reading goes on", async () => {
    leave(0);
    for (let i = 0; i < 5; i++) expect(await refused(addPage(notes.db, `${i}`))).toMatchObject(full);
    expect(await notes.names()).toEqual(["before"]);
  });

  test("tells the others, and not only who needed the room", async () => {
    leave(20_000);
    const greedy = notes.db.transaction().execute(async (trx) => {
      for (let i = 0; i < 20; i++) await addPage(trx, `greedy ${i}`);
    });
    const modest = notes.add("modest");
    const failed = notes.db.transaction().execute(() => Promise.reject(new Error("changed my mind")));
    expect(await Promise.all([greedy, modest, failed].map(refused))).toEqual(Array(3).fill(expect.objectContaining(full)));
    await notes.add("modest");
    expect(notes.namesInFile()).toEqual(["before", "modest"]);
  });

  test("fills up under load: what was answered as saved is there, and nothing else", async () => {
    leave(300_000);
    const saved: string[] = ["before"];
    const refusals: unknown[] = [];
    const write = async (name: string) => {
      const error = await refused(addPage(notes.db, name));
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
    await isWhole(notes);
  });

  test("does not keep the site from closing", async () => {
    leave(0);
    expect(await refused(addPage(notes.db, "a"))).toMatchObject(full);
    await notes.db.destroy();
    disk.makeRoom();
    expect(notes.namesInFile()).toEqual(["before"]);
  });
});

describe("in the middle of a statement", () => {
  const full = { name: "NotSavedError", message: "Nothing was saved: database or disk is full" };
  let notes: Notes;
  const mayGrowBy = async (pages: number) => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(notes.db);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + pages}`).execute(notes.db);
  };
  beforeEach(async () => {
    notes = await openNotes();
    await notes.add("before");
  });
  afterEach(() => notes.close());

  test("undoes the group, and nobody in it is told that it was saved", async () => {
    await mayGrowBy(3);
    let next: unknown;
    const neighbour = notes.db.transaction().execute((trx) => notes.add("neighbour", trx));
    const greedy = notes.db.transaction().execute(async (trx) => {
      for (let i = 0; i < 6; i++) await addPage(trx, `${i}`).catch(() => undefined);
      next = await refused(notes.add("alone by accident", trx));
    });
    const behind = notes.db.transaction().execute((trx) => notes.add("behind", trx));
    const errors = await Promise.all([neighbour, greedy, behind].map(refused));
    expect(errors).toEqual([expect.objectContaining(full), expect.objectContaining(full), undefined]);
    expect(next).toMatchObject(full);
    expect(notes.namesInFile()).toEqual(["before", "behind"]);
  });

  test("undoes one transaction only where SQLite undoes one statement only", async () => {
    await mayGrowBy(3);
    const neighbour = notes.db.transaction().execute((trx) => notes.add("neighbour", trx));
    const rows = Array.from({ length: 6 }, (_, i) => ({ name: `${i}`, text: page }));
    const greedy = notes.db.insertInto("notes").values(rows).execute();
    expect(await Promise.all([neighbour, greedy].map(refused))).toEqual([undefined, expect.objectContaining(full)]);
    expect(notes.namesInFile()).toEqual(["before", "neighbour"]);
  });

  test("takes more when it may grow again", async () => {
    await mayGrowBy(0);
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, i) => refused(addPage(notes.db, `${i}`))));
    const kept = outcomes.flatMap((error, i) => (error ? [] : [`${i}`]));
    expect(notes.namesInFile().toSorted()).toEqual(["before", ...kept].toSorted());
    await mayGrowBy(100);
    await addPage(notes.db, "after");
    expect(notes.namesInFile()).toContain("after");
    await isWhole(notes);
  });
});
