import pg from "pg";

const sqliteBusy = 5;
const sqliteReadOnly = 8;
const sqliteIo = 10;
const sqliteCorrupt = 11;
const sqliteFull = 13;
const sqliteCantOpen = 14;
const sqliteNotADatabase = 26;
const sqlitePrimaryKey = 1555;
const sqliteUnique = 2067;
const postgresUnique = "23505";
const postgresForbidden = "42501";

/** Whether a statement failed because a row with the same key exists. */
export function isDuplicate(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === sqlitePrimaryKey || errcode === sqliteUnique || code === postgresUnique;
}

/**
 * The database did not answer, or stopped answering on the way. What was being saved at that moment may be saved or not:
 * a COMMIT can arrive although its answer does not. Ask with `isUnreachable`, not for the class.
 */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super(`The database can't be reached: ${cause instanceof Error ? cause.message || (cause as { code?: string }).code : cause}`, {
      cause,
    });
    this.name = "DatabaseUnreachable";
  }
}

export function isUnreachable(error: unknown): error is DatabaseUnreachable {
  return error instanceof Error && error.name === "DatabaseUnreachable";
}

/** Whether something failed only because the database can't be reached, or can't save or read at the moment. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && (["DatabaseUnreachable", "NotSavedError"].includes(error.name) || isBusy(error) || isDiskFault(error));
}

/** By the code that the server or the operating system gives the fault, or by what node-postgres says when there is none. */
const serverCodes = /^(08|57P0|25P03|53300)/;
const systemCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"]);
const clientMessages = /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Whether a statement failed because its connection did: the server shut down or restarted, or the network went. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return serverCodes.test(error.code ?? "");
  return systemCodes.has((error as NodeJS.ErrnoException).code ?? "") || clientMessages.test(error.message);
}

/** Whether PostgreSQL's role may not do what a migration needs. */
export function isForbidden(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === postgresForbidden;
}

export function isBusy(error: unknown): boolean {
  return sqliteFault(error) === sqliteBusy;
}

export function isDiskFault(error: unknown): boolean {
  return [sqliteReadOnly, sqliteIo, sqliteFull].includes(sqliteFault(error));
}

/** Whether a SQLite database, or a file beside it, may not be opened: it belongs to another account of the machine. */
export function isClosedTo(error: unknown): boolean {
  return sqliteFault(error) === sqliteCantOpen;
}

/** Whether the file of a SQLite database isn't one, or not as it was written. */
export function isDamaged(error: unknown): boolean {
  return [sqliteCorrupt, sqliteNotADatabase].includes(sqliteFault(error));
}

/** The lowest byte is the fault, the rest its kind. */
function sqliteFault(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/**
 * Through no fault of the transaction it could not be saved, or what it was to be saved with: the disk is full, say.
 * Nothing of it is in the database, and the same may succeed when it is tried again. `cause` says why.
 */
export class NotSavedError extends Error {
  override name = "NotSavedError";

  constructor(cause: unknown) {
    super(`Nothing was saved: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
