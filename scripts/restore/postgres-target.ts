import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "#platform/config.ts";
import { quote } from "#platform/copy/columns.ts";
import { type RunQuery, tableNames } from "#platform/copy/postgres-tables.ts";
import { connect } from "#platform/copy/snapshot.ts";
import { currentMigrationNames, migrate, migrationNames } from "#platform/database/migrate.ts";
import { RestoreError } from "./options.ts";
import type { RestoreTarget } from "./target.ts";

/** The site's own database, replaced in one transaction. */
export async function openPostgresTarget(config: Config, overwrite: boolean): Promise<RestoreTarget> {
  const { query, close } = await connectToTarget(config.databaseUrl as string);
  try {
    await assertReplaceable(query, overwrite);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    config,
    async prepare(steps) {
      const names = await tableNames(query);
      const applied = names.includes("migrations") ? await query("select name from migrations order by name") : [];
      if (currentMigrationNames(applied.map(({ name }) => String(name))).length > steps.length)
        throw new RestoreError(await newDatabaseText(query));
      await migrate(config, steps.length === migrationNames.length ? undefined : steps.at(-1));
    },
    commit: async () => "",
    close,
  };
}

async function connectToTarget(url: string) {
  try {
    return await connect(url, "inkstead restore");
  } catch (error) {
    throw new RestoreError(`DATABASE_URL can't be opened: ${(error as Error).message}.`);
  }
}

/** Not done by the command, because the other version's tables can't be told from an operator's own. */
async function newDatabaseText(query: RunQuery): Promise<string> {
  const [row] = await query("select current_database() as name, current_user as owner");
  const [name, owner] = [String(row?.name), String(row?.owner)];
  return `This database's schema is newer than the backup. As PostgreSQL's administrator, for example with
sudo -u postgres psql, rename the database and create an empty one, then restore again:
  alter database ${quote(name)} rename to ${quote(`${name}_before_restore`)};
  create database ${quote(name)} owner ${quote(owner)} encoding 'UTF8' template template0;`;
}

/** Milliseconds: a site that was just stopped may still have sessions. */
const stopTimeoutMs = 2_000;

async function isSiteRunning(query: RunQuery): Promise<boolean> {
  for (const deadline = performance.now() + stopTimeoutMs; ; await wait(100)) {
    const sessions = await query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'inkstead' and pid <> pg_backend_pid()",
    );
    if (sessions.length === 0) return false;
    if (performance.now() > deadline) return true;
  }
}

async function assertReplaceable(query: RunQuery, overwrite: boolean): Promise<void> {
  if (await isSiteRunning(query)) throw new RestoreError("The site on this database is running. Stop it first.");
  const names = await tableNames(query);
  if (names.length > 0 && !names.includes("migrations"))
    throw new RestoreError(`The database contains other tables (${names.slice(0, 5).join(", ")}).`);
  const hasMembers = names.includes("users") && (await query(`select from ${quote("users")} limit 1`)).length > 0;
  if (hasMembers && !overwrite) throw new RestoreError("This database already contains a site. Use --overwrite to replace it.");
}
