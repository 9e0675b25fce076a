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
const postgresLockTimeout = "55P03";
const postgresCanceled = "57014";

export function isDuplicate(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === sqlitePrimaryKey || errcode === sqliteUnique || code === postgresUnique;
}

/** The last write may or may not be saved: a COMMIT can succeed although its answer is lost. Check with `isUnreachable`, not by class. */
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

/** The database is unreachable, or can't read or write right now. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && (["DatabaseUnreachable", "NotSavedError"].includes(error.name) || isBusy(error) || isDiskFailure(error));
}

/** SQLSTATE, errno, and node-postgres's messages without a code. */
const serverCodes = /^(08|57P0|25P03|53300)/;
const systemCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"]);
const clientMessages = /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return serverCodes.test(error.code ?? "");
  return systemCodes.has((error as NodeJS.ErrnoException).code ?? "") || clientMessages.test(error.message);
}

/** The PostgreSQL role lacks a privilege. */
export function isForbidden(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === postgresForbidden;
}

/** PostgreSQL's `lock_timeout` ended the wait for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === postgresLockTimeout;
}

/** PostgreSQL's `statement_timeout`, or an administrator, ended the query. */
export function isCanceled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === postgresCanceled;
}

export function isBusy(error: unknown): boolean {
  return sqliteFailure(error) === sqliteBusy;
}

export function isDiskFailure(error: unknown): boolean {
  return [sqliteReadOnly, sqliteIo, sqliteFull].includes(sqliteFailure(error));
}

/** A SQLite file belongs to another user. */
export function isAccessDenied(error: unknown): boolean {
  return sqliteFailure(error) === sqliteCantOpen;
}

export function isDamaged(error: unknown): boolean {
  return [sqliteCorrupt, sqliteNotADatabase].includes(sqliteFailure(error));
}

function sqliteFailure(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** A transaction failed through no fault of its own, such as a full disk. Nothing was saved and a retry may succeed. */
export class NotSavedError extends Error {
  override name = "NotSavedError";

  constructor(cause: unknown) {
    super(`Nothing was saved: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
