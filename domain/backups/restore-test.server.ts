import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readManifest } from "#platform/copy/archive.ts";
import { openDatabaseImport } from "#platform/copy/database-import.ts";
import { connect } from "#platform/copy/snapshot.ts";
import type { Engine } from "#platform/database/engine.ts";
import { currentMigrationNames, migrate } from "#platform/database/migrate.ts";
import type { DatabaseConfig } from "#platform/database/open.ts";
import { diskStore } from "#platform/files/disk.ts";
import type { StorageConfig } from "../site.ts";
import { type LoadResult, loadArchive } from "./load-archive.server.ts";
import { excludedTables, type ReportProgress } from "./make-archive.server.ts";

type Scratch = { config: DatabaseConfig; engine: Engine; drop(): Promise<void> };

/**
 * Restores into a scratch database: on PostgreSQL if the role may create one, otherwise SQLite. @param folder created, then deleted.
 * @throws like `loadArchive`.
 */
export async function testRestore(
  path: string,
  storageConfig: StorageConfig,
  folder: string,
  reportProgress: ReportProgress,
): Promise<LoadResult & { on: Engine }> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { migrations } = await readManifest(path);
  const scratch = await openScratch(storageConfig, folder, currentMigrationNames(migrations).at(-1));
  try {
    const database = await openDatabaseImport(scratch.config, excludedTables);
    try {
      const loaded = await loadArchive(path, database, diskStore(join(folder, "files")), { keepFiles: false, reportProgress });
      await database.finish();
      return { ...loaded, on: scratch.engine };
    } finally {
      await database.close();
    }
  } finally {
    await scratch.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param last step of the archive: after an update, an older version may run until its restart. */
async function openScratch(storageConfig: StorageConfig, folder: string, last: string | undefined): Promise<Scratch> {
  const onPostgres = storageConfig.databaseUrl ? await scratchOnPostgres(storageConfig.databaseUrl, folder) : undefined;
  const config: DatabaseConfig = { dataDir: folder, databaseUrl: undefined, databaseConnections: 1 };
  const scratch = onPostgres ?? { config, engine: "sqlite" as const, drop: async () => {} };
  try {
    await migrate(scratch.config, last);
    return scratch;
  } catch (error) {
    await scratch.drop();
    if (!onPostgres) throw error;
    // The role may not create the required extensions.
    await migrate(config, last);
    return { config, engine: "sqlite", drop: async () => {} };
  }
}

/** Undefined if the role may not create databases. */
async function scratchOnPostgres(databaseUrl: string, folder: string): Promise<Scratch | undefined> {
  const url = new URL(databaseUrl);
  const name = `${decodeURIComponent(url.pathname.slice(1)).slice(0, 40)}_restore_test`;
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const dropStatement = `drop database if exists ${quoted} with (force)`;
  // On a new connection: one left open would idle for as long as the restore takes.
  const drop = async () => {
    const { query, close } = await connect(databaseUrl, "inkstead backup");
    await query(dropStatement).finally(close);
  };
  const { query, close } = await connect(databaseUrl, "inkstead backup");
  try {
    if (
      (
        await query("select from pg_database where datname = $1 and shobj_description(oid, 'pg_database') is distinct from $2", [
          name,
          mark,
        ])
      ).length > 0
    )
      throw new Error(`the database ${name} is not ours`);
    await query(dropStatement);
    await query(`create database ${quoted} template template0 encoding 'UTF8'`);
    await query(`comment on database ${quoted} is '${mark}'`);
  } catch {
    return undefined;
  } finally {
    await close();
  }
  url.pathname = `/${encodeURIComponent(name)}`;
  return { config: { dataDir: folder, databaseUrl: url.href, databaseConnections: 1 }, engine: "postgres", drop };
}

const mark = "Inkstead restores its backups here to compare them; it may be dropped.";
