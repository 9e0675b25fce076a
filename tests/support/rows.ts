import { sql } from "kysely";
import { expect } from "vitest";
import type { Site } from "#domain/site.ts";
import { readAllCounters } from "../faults/counters.ts";

export async function everyRow({ db, engine }: Pick<Site, "db" | "engine">): Promise<Map<string, string[]>> {
  const tables =
    engine === "sqlite"
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name not like 'posts_search%' and name not like 'search_words_similar%'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const { rows } = await tables.execute(db);
  const found = new Map<string, string[]>();
  for (const { name } of rows) {
    const all = await sql`select * from ${sql.table(name)}`.execute(db);
    found.set(
      name,
      all.rows.map((row) => JSON.stringify(row)),
    );
  }
  return found;
}

/** Compares each counter with the rows it counts. */
export async function expectExactCounters(site: Site): Promise<void> {
  const { stored, counted } = await readAllCounters(site);
  expect(stored).toEqual(counted);
}
