const sqlitePrimaryKey = 1555;
const sqliteUnique = 2067;
const postgresUnique = "23505";

/** Whether a statement failed because a row with the same key exists. */
export function isDuplicate(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === sqlitePrimaryKey || errcode === sqliteUnique || code === postgresUnique;
}
