import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Generated, Kysely, sql } from "kysely";
import { type SqliteOptions, sqliteDialect } from "#platform/database/sqlite/sqlite.ts";
import { guardTransactions } from "#platform/database/transaction-guard.ts";

export type NotesTables = { notes: { number: Generated<number>; name: string; text: string | null } };
export type NotesDatabase = Kysely<NotesTables>;
type Work<Result> = (trx: NotesDatabase) => Promise<Result>;

/** A database with one table, in a file on the disk, for tests of the driver. */
export type Notes = {
  db: NotesDatabase;
  file: string;
  add(name: string, handle?: NotesDatabase): Promise<unknown>;
  inTransaction<Result>(work: Work<Result>): Promise<Result>;
  addInTransaction(name: string): Promise<unknown>;
  /** In order of writing. */
  names(handle?: NotesDatabase): Promise<string[]>;
  /** As another process reads it. */
  namesInFile(): string[];
  close(): Promise<void>;
};

type Options = { folder?: string } & Partial<SqliteOptions>;

/** Groups last long, so that writes of a test are one group on a busy machine too. */
export async function openNotes({ folder = makeFolder(), maxGroupMs = 60_000, ...options }: Options = {}): Promise<Notes> {
  const file = join(folder, "notes.db");
  const db = guardTransactions(new Kysely<NotesTables>({ dialect: sqliteDialect(file, { maxGroupMs, ...options }) }));
  await sql`create table if not exists notes (number integer primary key, name text not null unique, text text)`.execute(db);
  const add = (name: string, handle = db) => handle.insertInto("notes").values({ name, text: null }).execute();
  const inTransaction = <Result>(work: Work<Result>) => db.transaction().execute(work);
  return {
    db,
    file,
    add,
    inTransaction,
    addInTransaction: (name) => inTransaction((trx) => add(name, trx)),
    names: async (handle = db) =>
      (await handle.selectFrom("notes").select("name").orderBy("number").execute()).map((row: { name: string }) => row.name),
    namesInFile: () => namesIn(file),
    close: async () => {
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "inkstead-notes-"));
}

function namesIn(file: string): string[] {
  const reader = new DatabaseSync(file, { readOnly: true });
  try {
    return reader
      .prepare("select name from notes order by number")
      .all()
      .map(({ name }) => String(name));
  } finally {
    reader.close();
  }
}

const walHeader = 32;
const frameHeader = 24;
const pageSize = 4096;

/** Counts the COMMITs in the log: the last frame of each has the database's size. */
export function commitsInLog(file: string): number {
  const log = readFileSync(`${file}-wal`);
  let commits = 0;
  for (let at = walHeader; at + frameHeader <= log.length; at += frameHeader + pageSize) if (log.readUInt32BE(at + 4) > 0) commits++;
  return commits;
}

/** The error of a write; undefined if it was saved. */
export const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
