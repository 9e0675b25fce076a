import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { hashPassword } from "#domain/accounts/sign-in/password-hashes.server.ts";
import type { Engine } from "#platform/database/engine.ts";
import { migrate } from "#platform/database/migrate.ts";
import { type DatabaseConfig, openDatabase } from "#platform/database/open.ts";
import { createDatabase, dropWithCopies } from "../postgres/databases.ts";
import { saveRows } from "../postgres/saved-rows.ts";
import { findPostgres } from "../postgres/start.ts";
import { fastTempFolder } from "./fast-temp-folder.ts";
import { insertPeople, lowerHashCost, password } from "./people.ts";

declare module "vitest" {
  export interface ProvidedContext {
    engine: Engine;
    /** Removed after the run. */
    folder: string;
    /** A migrated SQLite file with the named people. */
    sqliteTemplate: string;
    /** The name of the same on PostgreSQL. */
    postgresTemplate: string;
  }
}

/** The time at which each world begins: a Monday, 09:00 UTC. */
export const worldStart = Date.UTC(2026, 10, 2, 9);

/** Creates the databases that worlds copy, once per run. */
export default async function makeTemplates(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(fastTempFolder(), "inkstead-test-"));
  const dataDir = join(folder, "template");
  await fill({ dataDir, databaseUrl: undefined, databaseConnections: 2 });
  project.provide("folder", folder);
  project.provide("sqliteTemplate", join(dataDir, "inkstead.db"));

  const drop = runsOnPostgres(project) ? await makePostgresTemplate(project) : async () => {};
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    await drop();
  };
}

/** PostgreSQL takes three seconds to start. */
function runsOnPostgres(project: TestProject): boolean {
  return project.vitest.projects.some((each) => each.name !== "sqlite");
}

async function makePostgresTemplate(project: TestProject): Promise<() => Promise<void>> {
  await findPostgres();
  const { url, name } = await createDatabase();
  await fill({ dataDir: "", databaseUrl: url, databaseConnections: 2 });
  await saveRows(url);
  project.provide("postgresTemplate", name);
  return () => dropWithCopies(name);
}

async function fill(config: DatabaseConfig): Promise<void> {
  await migrate(config);
  const { db } = openDatabase(config);
  lowerHashCost();
  await insertPeople(db, await hashPassword(password), worldStart);
  await db.destroy();
}
