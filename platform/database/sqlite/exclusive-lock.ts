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
    const database = openExclusively(lock, () => belongsToAnother(dataDir, note));
    lockedDatabases.push(database);
    writeFileSync(note, `process ${process.pid} on ${hostname()}, at ${url}, since ${new Date().toISOString()}`, { mode: 0o600 });
    return () => database.close();
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(`DATA_DIR can't be written to: ${(error as Error).message}.`);
  }
}

/**
 * Opens a file that no other process may have open. A site that starts meanwhile reports a locked database.
 *
 * In WAL mode every process with the file open holds a lock, which the kernel releases when the process dies. Leaving WAL mode requires
 * all locks, so it detects any running site and no dead one.
 * @throws the error of `whenBusy` when another process has it open.
 */
export function openExclusively(file: string, whenBusy: () => Error): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs });
  try {
    database.exec("pragma locking_mode = exclusive; pragma journal_mode = delete; begin exclusive");
    return database;
  } catch (error) {
    database.close();
    throw (error as { errcode?: number }).errcode === busy ? whenBusy() : error;
  }
}

/** Referenced, because garbage collection would close them and release the locks. */
const lockedDatabases: DatabaseSync[] = [];

function belongsToAnother(dataDir: string, note: string): ConfigError {
  return new ConfigError(
    `DATA_DIR ${dataDir} belongs to another process of Inkstead: ${describeHolder(note)}. Stop that one first, or give this one a folder of its own. ` +
      `Several processes of one site need PostgreSQL: ${commandLine("move-to-postgres")}.`,
  );
}

function describeHolder(note: string): string {
  try {
    return readFileSync(note, "utf8").trim();
  } catch {
    return "unknown";
  }
}
