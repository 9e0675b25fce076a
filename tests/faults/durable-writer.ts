import { writeSync } from "node:fs";
import { type Generated, Kysely, sql } from "kysely";
import { sqliteDialect } from "#platform/database/sqlite/sqlite.ts";

/**
 * The process that tests/faults/durable-writes.ts kills: thirty-two endless writers. A line per acknowledged write, with "-" in front for a
 * refused one.
 */
type Tables = { writes: { id: string }; parts: { number: Generated<number>; id: string }; counters: { writes: number } };

const [file = "", round = ""] = process.argv.slice(2);
const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
await sql`create table if not exists writes (id text primary key)`.execute(db);
await sql`create table if not exists parts (number integer primary key, id text not null, text text not null default (hex(zeroblob(200))))`.execute(
  db,
);
await sql`create table if not exists counters (writes integer not null)`.execute(db);
await sql`insert into counters select 0 where not exists (select 1 from counters)`.execute(db);

let written = 0;
await Promise.all(Array.from({ length: 32 }, writeForever));

async function writeForever() {
  while (true) {
    const id = `${round}.${written++}`;
    const fails = written % 7 === 0;
    const saved = await write(id, fails).then(
      () => true,
      () => false,
    );
    writeSync(1, `${saved ? "" : "-"}${id}\n`);
  }
}

function write(id: string, fails: boolean): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await trx.insertInto("writes").values({ id }).execute();
    await trx.insertInto("parts").values({ id }).execute();
    if (written % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    await trx.insertInto("parts").values({ id }).execute();
    if (fails) throw new Error("rolled back on purpose");
    await trx
      .updateTable("counters")
      .set((row) => ({ writes: row("writes", "+", 1) }))
      .execute();
  });
}
