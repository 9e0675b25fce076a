import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { type Notes, openNotes } from "../../../tests/support/notes.ts";
import { until } from "../../../tests/support/until.ts";
import { walLimitBytes } from "./sqlite-maintenance.ts";

const never = 2 ** 30;
let notes: Notes;
afterEach(() => notes.close());

const walSize = () => statSync(`${notes.file}-wal`).size;
const megabyte = 1024 * 1024;
const addMegabytes = async (count: number) => {
  for (let i = 0; i < count; i++)
    await notes.db
      .updateTable("notes")
      .set({ text: String(i % 10).repeat(megabyte) })
      .execute();
};

/** Without statistics, the wrong index looks as good. */
async function indexUsed(): Promise<string> {
  const query = sql<{ detail: string }>`explain query plan select * from things where kind = 'all the same' and owner = 'owner 7'`;
  return (await query.execute(notes.db)).rows.map(({ detail }) => detail).join();
}

async function makeThings(): Promise<void> {
  await sql`create table things (kind text, owner text)`.execute(notes.db);
  await sql`create index by_owner on things (owner)`.execute(notes.db);
  await sql`create index by_kind on things (kind)`.execute(notes.db);
}

async function addThings(count: number, kind: string, owner: string): Promise<void> {
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into things select replace(${kind}, '#', i), replace(${owner}, '#', i) from n`.execute(notes.db);
}

test("updates the statistics of growing tables, also for the reader", async () => {
  notes = await openNotes({ optimizeIntervalMs: 20, shrinkWalIntervalMs: never });
  await makeThings();
  await addThings(50, "kind #", "nobody");
  const measured = () => sql`select 1 from sqlite_stat1 where tbl = 'things'`.execute(notes.db);
  await until(async () => expect((await measured()).rows).toHaveLength(2));
  expect(await indexUsed()).toContain("by_kind");

  await addThings(3000, "all the same", "owner #");
  await until(async () => expect(await indexUsed()).toContain("by_owner"));
});

test("queries choose the wrong index without statistics", async () => {
  notes = await openNotes({ optimizeIntervalMs: never, shrinkWalIntervalMs: never });
  await makeThings();
  await addThings(3000, "all the same", "owner #");
  expect(await indexUsed()).toContain("by_kind");
});

test("keeps no statistics of a search index's shadow tables, which would make changes scan them", async () => {
  notes = await openNotes({ optimizeIntervalMs: 20, shrinkWalIntervalMs: never });
  await makeThings();
  await sql`create virtual table words using fts5(word, content='')`.execute(notes.db);
  await sql`insert into words (rowid, word) values (1, 'one')`.execute(notes.db);
  await addThings(50, "kind #", "nobody");
  const measured = async () =>
    (await sql<{ tbl: string }>`select distinct tbl from sqlite_stat1`.execute(notes.db)).rows.map((row) => row.tbl);
  await until(async () => expect(await measured()).toContain("things"));
  expect(await measured()).not.toContain("words_data");
});

test("truncates a large WAL once there is no reader, without delaying writers", async () => {
  notes = await openNotes({ optimizeIntervalMs: never, shrinkWalIntervalMs: 20 });
  await notes.add("a");
  const reader = new DatabaseSync(notes.file, { readOnly: true });
  reader.exec("begin; select * from notes");
  await addMegabytes(12);
  expect(walSize()).toBeGreaterThan(walLimitBytes);

  const start = performance.now();
  for (let i = 0; i < 10; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await notes.add(`${i}`);
  }
  expect(performance.now() - start).toBeLessThan(4_500); // Waiting once would be five.
  expect(walSize()).toBeGreaterThan(walLimitBytes);

  reader.close();
  await until(() => expect(walSize()).toBe(0));
  await notes.add("b");
  expect(notes.namesInFile()).toContain("b");
});

test("keeps the WAL small while writing", async () => {
  notes = await openNotes({ optimizeIntervalMs: never, shrinkWalIntervalMs: never });
  await notes.add("a");
  await addMegabytes(30);
  expect(walSize()).toBeLessThan(walLimitBytes + 2 * megabyte);
  const { rows } = await sql`pragma journal_size_limit`.execute(notes.db);
  expect(rows).toEqual([{ journal_size_limit: walLimitBytes }]);
});

test("updates statistics and removes the WAL when closing", async () => {
  notes = await openNotes();
  await Promise.all(Array.from({ length: 300 }, (_, i) => notes.add(`${i}`)));
  await notes.db.destroy();
  expect(existsSync(`${notes.file}-wal`)).toBe(false);
  const closed = new DatabaseSync(notes.file, { readOnly: true });
  expect(closed.prepare("select tbl from sqlite_stat1").all()).toEqual([{ tbl: "notes" }]);
  closed.close();
});

test("stops when closing", async () => {
  notes = await openNotes({ optimizeIntervalMs: 1, shrinkWalIntervalMs: 1 });
  const warned = vi.spyOn(process, "emitWarning");
  await notes.db.destroy();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(warned.mock.calls.filter(([warning]) => String(warning).includes("maintenance failed"))).toEqual([]);
  warned.mockRestore();
});
