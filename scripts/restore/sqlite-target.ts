import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isDamaged } from "#platform/database/errors.ts";
import { migrate } from "#platform/database/migrate.ts";
import { acquireExclusiveLock, openExclusively } from "#platform/database/sqlite/exclusive-lock.ts";
import { RestoreError } from "./options.ts";
import type { RestoreTarget } from "./target.ts";

const folderPrefix = "restoring-";

/** A new file, which finally replaces the site's own; the existing file is renamed. */
export async function openSqliteTarget(dataDir: string, overwrite: boolean): Promise<RestoreTarget> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "inkstead.db");
  const unlock = acquireExclusiveLock(dataDir, "a restore");
  let existing: ExistingDatabase | undefined;
  const close = () => {
    existing?.close();
    unlock();
  };
  try {
    if (existsSync(file)) existing = lockExisting(file, dataDir);
    if (!overwrite && existing?.hasMembers())
      throw new RestoreError(
        `${dataDir} already contains a site. Use --overwrite to replace it; the old database stays next to the new one.`,
      );
  } catch (error) {
    close();
    throw error;
  }
  // Of killed restores: another one that is running would have the lock.
  removeFolders(dataDir);
  const folder = join(dataDir, `${folderPrefix}${randomUUID().slice(0, 8)}`);
  mkdirSync(folder, { mode: 0o700 });
  const config = { dataDir: folder, databaseUrl: undefined, databaseConnections: 1 };
  return {
    config,
    prepare: async (steps) => void (await migrate(config, steps.at(-1))),
    async commit() {
      const restored = join(folder, "inkstead.db");
      sync(restored);
      const renamed = `${file}.before-restore-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
      if (existing) linkSync(file, renamed);
      // Left by a damaged database: SQLite would apply them to the new file.
      for (const suffix of ["-wal", "-shm"]) if (existsSync(file + suffix)) renameSync(file + suffix, renamed + suffix);
      renameSync(restored, file);
      sync(dataDir);
      return existing ? `The previous database is now ${renamed}.` : "";
    },
    async close() {
      close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function removeFolders(dataDir: string): void {
  for (const name of readdirSync(dataDir)) if (name.startsWith(folderPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

type ExistingDatabase = { hasMembers(): boolean; close(): void };

/** Locks the existing database, so that no site starts on it. A damaged one can be replaced without opening it. */
function lockExisting(file: string, dataDir: string): ExistingDatabase {
  try {
    const database = openExclusively(file, () => new RestoreError(`The site in ${dataDir} is running. Stop it first.`));
    return { hasMembers: () => hasMembers(database), close: () => database.close() };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return { hasMembers: () => true, close: () => {} };
  }
}

function hasMembers(database: DatabaseSync): boolean {
  try {
    const [table] = database.prepare("select 1 from sqlite_schema where name = 'users'").all();
    return table !== undefined && database.prepare("select 1 from users limit 1").all().length > 0;
  } catch (error) {
    if (isDamaged(error)) return true;
    throw error;
  }
}

function sync(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}
