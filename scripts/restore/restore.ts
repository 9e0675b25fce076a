import { secretMark } from "#domain/backups/backups.server.ts";
import { checkArchive, type LoadResult, loadArchive } from "#domain/backups/load-archive.server.ts";
import { excludedTables } from "#domain/backups/make-archive.server.ts";
import { commandLine } from "#platform/config.ts";
import { type ArchiveSource, type Manifest, readManifest } from "#platform/copy/archive.ts";
import { openDatabaseImport } from "#platform/copy/database-import.ts";
import { currentMigrationNames, migrate, migrationNames } from "#platform/database/migrate.ts";
import { openFiles } from "#platform/files/open.ts";
import { checkStore } from "../check-store.ts";
import { type Console, countText, ProgressBar } from "../progress-bar.ts";
import { RestoreError, type RestoreOptions } from "./options.ts";
import { openPostgresTarget } from "./postgres-target.ts";
import { openSource } from "./source.ts";
import { openSqliteTarget } from "./sqlite-target.ts";
import type { RestoreTarget } from "./target.ts";

/**
 * Restores a backup and compares the result with it. Files are copied first, under new names; the database is replaced last, atomically.
 * @param progress - tells after a failure whether the database may have been replaced.
 * @throws RestoreError, ConfigError, BrokenArchive, WrongKey, ArchiveMismatch, each without changes.
 */
export async function restore(options: RestoreOptions, console: Console, progress = { replaced: false }): Promise<void> {
  const bar = new ProgressBar(console);
  try {
    const { source, close } = await openSource(options, bar);
    await replaceSite(source, options, bar, progress).finally(close);
  } catch (error) {
    if (!progress.replaced) options.discard();
    throw error;
  }
}

async function replaceSite(
  source: ArchiveSource,
  { config, overwrite }: RestoreOptions,
  bar: ProgressBar,
  progress: { replaced: boolean },
): Promise<void> {
  const manifest = await readManifest(source);
  const steps = stepsOf(manifest);
  bar.line(
    `${manifest.site.name} (${manifest.site.url}), as of ${manifest.madeAt}, from ${manifest.engine === "sqlite" ? "SQLite" : "PostgreSQL"}`,
  );
  const target =
    config.databaseUrl === undefined ? await openSqliteTarget(config.dataDir, overwrite) : await openPostgresTarget(config, overwrite);
  try {
    await checkStore(config);
    // Checked completely before anything is written: partial files couldn't be distinguished from existing ones.
    await checkArchive(source, bar.report);
    await target.prepare(steps);
    const result = await load(source, config, target, bar, progress);
    progress.replaced = true;
    const notes = await target.commit();
    await migrate(config);
    bar.line(`Everything matches: ${summary(result)}.`);
    if (notes) bar.line(notes);
    if (secretMark(config.secret) !== manifest.secretMark) bar.line(secretWarning);
  } finally {
    await target.close();
  }
}

async function load(
  source: ArchiveSource,
  config: RestoreOptions["config"],
  target: RestoreTarget,
  bar: ProgressBar,
  progress: { replaced: boolean },
): Promise<LoadResult> {
  const store = await openFiles(config);
  const database = await openDatabaseImport(target.config, excludedTables);
  try {
    const result = await loadArchive(source, database, store, { keepFiles: true, reportProgress: bar.report });
    // On PostgreSQL `finish` commits to the site's own database. The connection may be lost during or after that.
    progress.replaced = database.engine === "postgres";
    await database.finish();
    return result;
  } finally {
    await database.close();
    await store.close();
  }
}

function stepsOf({ migrations }: Manifest): readonly string[] {
  const steps = currentMigrationNames(migrations);
  const known = steps.length > 0 && migrationNames.slice(0, steps.length).join() === steps.join();
  if (known) return steps;
  throw new RestoreError("A newer version made the backup. Update first, then restore it.");
}

function summary({ tables, files }: LoadResult): string {
  const rows = Object.values(tables).reduce((sum, each) => sum + each, 0);
  return `${countText(Object.keys(tables).length, "table")} with ${countText(rows, "row")}, ${countText(files.count, "file")}`;
}

const secretWarning = `
The backup was made with another SECRET than the one here. Start the site with the old SECRET if you have it. With this one, passwords,
passkeys and API keys still work, but everyone has to sign in again, links in emails already sent won't work, suspended people who deleted
their account can sign up again, and members with an authenticator app can't sign in until you run, for each of them:
${commandLine("admin", "remove-second-step EMAIL")}`;
