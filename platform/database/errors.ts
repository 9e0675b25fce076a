const sqliteBusy = 5;
const sqliteIo = 10;
const sqliteFull = 13;
const sqlitePrimaryKey = 1555;
const sqliteUnique = 2067;
const postgresUnique = "23505";

/** Whether a statement failed because a row with the same key exists. */
export function isDuplicate(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === sqlitePrimaryKey || errcode === sqliteUnique || code === postgresUnique;
}

/** Whether SQLite was refused a lock that another process holds. */
export function isBusy(error: unknown): boolean {
  return sqliteFault(error) === sqliteBusy;
}

/** Whether SQLite could not read or write its file, or found no room for it. */
export function isDiskFault(error: unknown): boolean {
  return [sqliteIo, sqliteFull].includes(sqliteFault(error));
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
