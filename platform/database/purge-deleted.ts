import { sql } from "kysely";
import type { Engine } from "./engine.ts";
import type { Database } from "./open.ts";

const indexes = ["posts_search", "search_words_similar"];
/** Pages merged per step, so that other writers can run in between. */
const pagesAtOnce = 200;
const maxSteps = 200;

/**
 * Removes remains of deleted rows from SQLite's files: words in FTS index segments, and the WAL. Deleted rows themselves are overwritten
 * (secure_delete). PostgreSQL is left to its operator.
 */
export async function purgeDeletedRows(db: Database, engine: Engine): Promise<void> {
  if (engine !== "sqlite") return;
  for (const index of indexes) await mergeIndex(db, index);
  await truncateWal(db, engine);
}

export async function truncateWal(db: Database, engine: Engine): Promise<void> {
  if (engine === "sqlite") await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

async function mergeIndex(db: Database, index: string): Promise<void> {
  const table = sql.table(index);
  let [before, after] = ["", await shapeOf(db, index)];
  for (let step = 0; step < maxSteps && before !== after; step++) {
    // Negative: merge all segments, not only those that are due.
    await sql`insert into ${table}(${table}, rank) values ('merge', ${step === 0 ? -pagesAtOnce : pagesAtOnce})`.execute(db);
    [before, after] = [after, await shapeOf(db, index)];
  }
}

async function shapeOf(db: Database, index: string): Promise<string> {
  const { rows } = await sql<{ shape: string }>`select hex(block) as shape from ${sql.table(`${index}_data`)} where id = 10`.execute(db);
  return rows[0]?.shape ?? "";
}
