import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "#platform/database/migrate.ts";
import { openDatabase } from "#platform/database/open.ts";

test("the schema has nothing that rolls back other transactions of a group", async () => {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-rules-"));
  const config = { dataDir: folder, databaseUrl: undefined, databaseConnections: 1 };
  await migrate(config);
  const { db } = openDatabase(config);
  const { rows } = await sql<{ sql: string }>`select sql from sqlite_schema where sql is not null`.execute(db);
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => /\bdeferr|on\s+conflict\s+rollback|raise\s*\(\s*rollback/i.test(row.sql))).toEqual([]);
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});
