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

/** A database with one table, in a file on the real disk, for tests of the driver itself. */
export type Notes = {
  db: NotesDatabase;
  file: string;
  add(name: string, handle?: NotesDatabase): Promise<unknown>;
  inTransaction<Result>(work: Work<Result>): Promise<Result>;
  addInTransaction(name: string): Promise<unknown>;
  /** What everybody may see, in order of writing. */
  names(handle?: NotesDatabase): Promise<string[]>;
  /** What another process sees. */
  namesInFile(): string[];
  close(): Promise<void>;
};

type Options = { folder?: string } & Partial<SqliteOptions>;

/** Groups last long, so that what a test writes at the same time is one group on a busy machine too. */
export async function openNotes({ folder = makeFolder(), groupFor = 60_000, ...options }: Options = {}): Promise<Notes> {
  const file = join(folder, "notes.db");
  const db = guardTransactions(new Kysely<NotesTables>({ dialect: sqliteDialect(file, { groupFor, ...options }) }));
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
  const elsewhere = new DatabaseSync(file, { readOnly: true });
  try {
    return elsewhere
      .prepare("select name from notes order by number")
      .all()
      .map(({ name }) => String(name));
  } finally {
    elsewhere.close();
  }
}

const walHeader = 32;
const frameHeader = 24;
const pageSize = 4096;

/** How many COMMITs the log holds: the last frame of each carries the size of the database after it. */
export function commitsInLog(file: string): number {
  const log = readFileSync(`${file}-wal`);
  let commits = 0;
  for (let at = walHeader; at + frameHeader <= log.length; at += frameHeader + pageSize) if (log.readUInt32BE(at + 4) > 0) commits++;
  return commits;
}

/** What a write is refused with; undefined for one that is saved. */
export const refused = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
