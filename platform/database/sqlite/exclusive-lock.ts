import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError, commandLine } from "../../config.ts";

const busy = 5;
/** A previous process may be about to exit. */
const lockTimeoutMs = 2_000;

/**
 * Makes this the only process that serves the SQLite database of a data folder: two processes would cache each other's outdated data. The
 * operating system releases the lock when the process ends, even after a crash. @param url - named in the error of a second process
 * @returns a function that releases the lock.
 * @throws ConfigError that names the other process, or says why the folder can't be used.
 */
export function acquireExclusiveLock(dataDir: string, url: string): () => void {
  const [lock, note] = [join(dataDir, "serving.lock"), join(dataDir, "serving.txt")];
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const database = lockFile(lock);
    lockedDatabases.push(database);
    writeFileSync(note, `process ${process.pid} on ${hostname()}, at ${url}, since ${new Date().toISOString()}`, { mode: 0o600 });
    return () => database.close();
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== busy)
      throw new ConfigError(`DATA_DIR can't be written to: ${(error as Error).message}.`);
    throw new ConfigError(
      `DATA_DIR ${dataDir} belongs to another process of Inkstead: ${describeHolder(note)}. Stop that one first, or give this one a folder of its own. ` +
        `Several processes of one site need PostgreSQL: ${commandLine("move-to-postgres")}.`,
    );
  }
}

function lockFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: lockTimeoutMs });
  try {
    database.exec("pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Referenced, because garbage collection would close them and release the locks. */
const lockedDatabases: DatabaseSync[] = [];

function describeHolder(note: string): string {
  try {
    return readFileSync(note, "utf8").trim();
  } catch {
    return "unknown";
  }
}
