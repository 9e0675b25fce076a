import type { Config } from "#platform/config.ts";
import { quote } from "#platform/copy/columns.ts";
import { type RunQuery, tableNames } from "#platform/copy/postgres-tables.ts";
import { connect } from "#platform/copy/snapshot.ts";
import { currentMigrationNames, migrate, migrationNames } from "#platform/database/migrate.ts";
import { isSiteRunning, newDatabaseCommands } from "../postgres-database.ts";
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
        throw new RestoreError(`This database's schema is newer than the backup. ${await newDatabaseCommands(query)}\nThen restore again.`);
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
    const { message, code } = error as NodeJS.ErrnoException;
    throw new RestoreError(`DATABASE_URL can't be opened: ${message || code}.`);
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
