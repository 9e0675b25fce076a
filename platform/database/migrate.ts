import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { isUnreachable } from "./errors.ts";
import { accounts } from "./migrations/0001-accounts.ts";
import { posts } from "./migrations/0002-posts.ts";
import { search } from "./migrations/0003-search.ts";
import { people } from "./migrations/0004-people.ts";
import { events } from "./migrations/0005-events.ts";
import { views } from "./migrations/0006-views.ts";
import { lists } from "./migrations/0007-lists.ts";
import { reading } from "./migrations/0008-reading.ts";
import { writing } from "./migrations/0009-writing.ts";
import { messages } from "./migrations/0010-messages.ts";
import { members } from "./migrations/0011-members.ts";
import { administration } from "./migrations/0012-administration.ts";
import { api } from "./migrations/0013-api.ts";
import { moderation } from "./migrations/0014-moderation.ts";
import { operations } from "./migrations/0015-operations.ts";
import { membersApi } from "./migrations/0016-members-api.ts";
import { undo } from "./migrations/0017-undo.ts";
import { publishedSearch } from "./migrations/0018-published-search.ts";
import { draftOrders } from "./migrations/0019-draft-orders.ts";
import { slips } from "./migrations/0020-slips.ts";
import { searchWindows } from "./migrations/0021-search-windows.ts";
import { pageTexts } from "./migrations/0022-page-texts.ts";
import { searchSteps } from "./migrations/0023-search-steps.ts";
import { accountSecurity } from "./migrations/0025-account-security.ts";
import { passwords } from "./migrations/0026-passwords.ts";
import { apiSecurity } from "./migrations/0027-api.ts";
import { staff } from "./migrations/0028-staff.ts";
import { files } from "./migrations/0029-files.ts";
import { evidence } from "./migrations/0030-evidence.ts";
import { columnTypes, type Step } from "./migrations/step.ts";
import { type Database, type DatabaseConfig, type Engine, openForMigration } from "./open.ts";

/** In order; new ones go at the end, and one that has been released never changes. */
const steps: Record<string, Step> = {
  "0001-accounts": accounts,
  "0002-posts": posts,
  "0003-search": search,
  "0004-people": people,
  "0005-events": events,
  "0006-views": views,
  "0007-lists": lists,
  "0008-reading": reading,
  "0009-writing": writing,
  "0010-messages": messages,
  "0011-members": members,
  "0012-administration": administration,
  "0013-api": api,
  "0014-moderation": moderation,
  "0015-operations": operations,
  "0016-members-api": membersApi,
  "0017-undo": undo,
  "0018-published-search": publishedSearch,
  "0019-draft-orders": draftOrders,
  "0020-slips": slips,
  "0021-search-windows": searchWindows,
  "0022-page-texts": pageTexts,
  "0023-search-steps": searchSteps,
  "0025-account-security": accountSecurity,
  "0026-passwords": passwords,
  "0027-api": apiSecurity,
  "0028-staff": staff,
  "0029-files": files,
  "0030-evidence": evidence,
};

/** The names of the steps, in order. */
export const migrationNames: readonly string[] = Object.keys(steps);

/**
 * Brings the schema up to date, or to the step `last`, and returns the names of the steps that ran. Of several processes
 * that start at once one does it, in one transaction, and the others wait.
 */
export async function migrate(config: DatabaseConfig, last?: string): Promise<string[]> {
  const { db, engine } = openForMigration(config);
  try {
    return (await isUpToDate(db)) ? [] : await runSteps(db, engine, last);
  } finally {
    await db.destroy();
  }
}

/** The migrator asks the catalogue a lot, and mostly there is nothing to do. */
async function isUpToDate(db: Database): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
    return rows.map((row) => row.name).join() === Object.keys(steps).join();
  } catch (error) {
    if (isUnreachable(error)) throw error;
    return false; // There is no such table yet.
  }
}

async function runSteps(db: Database, engine: Engine, last = migrationNames.at(-1) as string): Promise<string[]> {
  const types = columnTypes(engine);
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [name, { up: (trx) => step(trx, types) }]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
  });
  const { error, results } = await migrator.migrateTo(last);
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
