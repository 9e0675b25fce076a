import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { quote } from "#platform/copy/columns.ts";
import type { RunQuery } from "#platform/copy/postgres-tables.ts";
import { connect, openSnapshot } from "#platform/copy/snapshot.ts";
import type { StorageConfig } from "../site.ts";
import type { CheckReport } from "./backup.ts";
import type { ReportProgress } from "./make-archive.server.ts";

const maxProblems = 20;

/** Reads every row, checks all references and, on SQLite, all pages and indexes. Counts rows per table. */
export async function checkDatabase(storageConfig: StorageConfig, reportProgress: ReportProgress): Promise<CheckReport> {
  const tables: Record<string, number> = {};
  const problems: string[] = [];
  const snapshot = await openSnapshot(storageConfig);
  try {
    for (const table of snapshot.tables) {
      try {
        tables[table.name] = 0;
        for await (const _ of snapshot.rows(table)) {
          tables[table.name] = (tables[table.name] ?? 0) + 1;
          reportProgress(`Reading ${table.name}`, tables[table.name] ?? 0, 0);
        }
      } catch (error) {
        problems.push(`${table.name} can't be read: ${(error as Error).message}`);
        if (storageConfig.databaseUrl) break; // Its transaction is over.
      }
    }
  } finally {
    await snapshot.close();
  }
  reportProgress("Checking references", 0, 0);
  problems.push(...(storageConfig.databaseUrl ? await orphansOnPostgres(storageConfig.databaseUrl) : checkSqlite(storageConfig.dataDir)));
  return { tables, problems: problems.slice(0, maxProblems) };
}

function checkSqlite(dataDir: string): string[] {
  const database = new DatabaseSync(join(dataDir, "inkstead.db"), { readOnly: true, timeout: 5_000 });
  try {
    const found = database
      .prepare(`pragma integrity_check(${maxProblems})`)
      .all()
      .map((row) => String(row.integrity_check));
    const orphans = database.prepare("pragma foreign_key_check").all().slice(0, maxProblems);
    return [...found.filter((line) => line !== "ok"), ...orphans.map(({ table, parent }) => orphanProblem(String(table), String(parent)))];
  } finally {
    database.close();
  }
}

function orphanProblem(table: string, parent: string): string {
  return `a row of ${table} refers to a missing row of ${parent}`;
}

async function orphansOnPostgres(url: string): Promise<string[]> {
  const { query, close } = await connect(url, "inkstead check");
  try {
    const keys = await query(
      `select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent, a.attname as own, b.attname as other
       from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
       where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and cardinality(c.conkey) = 1`,
    );
    const problems: string[] = [];
    for (const key of keys) if (await hasOrphans(query, key)) problems.push(orphanProblem(String(key.child), String(key.parent)));
    const invalid = await query("select indexrelid::regclass::text as name from pg_index where not indisvalid");
    return [...problems, ...invalid.map(({ name }) => `the index ${name} is not valid`)];
  } finally {
    await close();
  }
}

async function hasOrphans(query: RunQuery, { child, parent, own, other }: Record<string, string | null>): Promise<boolean> {
  const [mine, theirs] = [`c.${quote(String(own))}`, `p.${quote(String(other))}`];
  const rows = await query(
    `select from ${child} c where ${mine} is not null and not exists (select from ${parent} p where ${theirs} = ${mine}) limit 1`,
  );
  return rows.length > 0;
}
