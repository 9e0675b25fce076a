import { sql } from "kysely";
import type { Engine } from "./engine.ts";
import type { Database } from "./open.ts";

const indexes = ["posts_search", "search_words_similar"];
/** Pages of an index that are written in one step; others write in between. */
const pagesAtOnce = 200;
const maxSteps = 200;

/**
 * Takes out of the database's files what deleted rows have left there. On SQLite rows are overwritten when they are deleted;
 * what remains are words in the index for searching, until its parts are put together, and the log, until it is emptied.
 * On PostgreSQL nothing is done: what becomes of its pages and its log is its operator's to decide.
 */
export async function forgetDeleted(db: Database, engine: Engine): Promise<void> {
  if (engine !== "sqlite") return;
  for (const index of indexes) await mergeIndex(db, index);
  await emptyLog(db, engine);
}

export async function emptyLog(db: Database, engine: Engine): Promise<void> {
  if (engine === "sqlite") await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

async function mergeIndex(db: Database, index: string): Promise<void> {
  const table = sql.table(index);
  let [before, after] = ["", await shapeOf(db, index)];
  for (let step = 0; step < maxSteps && before !== after; step++) {
    // Less than nothing says: all parts, not only those that are due.
    await sql`insert into ${table}(${table}, rank) values ('merge', ${step === 0 ? -pagesAtOnce : pagesAtOnce})`.execute(db);
    [before, after] = [after, await shapeOf(db, index)];
  }
}

async function shapeOf(db: Database, index: string): Promise<string> {
  const { rows } = await sql<{ shape: string }>`select hex(block) as shape from ${sql.table(`${index}_data`)} where id = 10`.execute(db);
  return rows[0]?.shape ?? "";
}
