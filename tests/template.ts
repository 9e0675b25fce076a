import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashPassword } from "better-auth/crypto";
import type { TestProject } from "vitest/node";
import { migrate } from "#platform/database/migrate.ts";
import { type Engine, openDatabase } from "#platform/database/open.ts";
import { insertPeople, password } from "./people.ts";

declare module "vitest" {
  export interface ProvidedContext {
    engine: Engine;
    /** A folder that is removed after the run. */
    folder: string;
    /** A migrated SQLite file with the named people in it. */
    sqliteTemplate: string;
  }
}

/** When every world begins: a Monday, 09:00 UTC. */
export const beginning = Date.UTC(2026, 10, 2, 9);

/** Once per run: the database that each world copies. */
export default async function makeTemplate(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-test-"));
  const db = openDatabase(join(folder, "template"));
  await migrate(db);
  await insertPeople(db, await hashPassword(password), beginning);
  await db.destroy();
  project.provide("folder", folder);
  project.provide("sqliteTemplate", join(folder, "template", "inkstead.db"));
  return () => rmSync(folder, { recursive: true, force: true });
}
