import { join } from "node:path";
import { ConfigError, commandLine } from "../config.ts";
import { isAccessDenied, isBusy, isDamaged, isDiskFailure, isForbidden, isUnreachable, NotSavedError } from "./errors.ts";

/** @returns instructions for the operator, or the error itself when there are none. */
export function explainFailure(error: unknown, dataDir: string): Error {
  const file = join(dataDir, "inkstead.db");
  const { message } = error as Error;
  if (isUnreachable(error)) return new ConfigError(`DATABASE_URL can't be opened. ${message}.`);
  if (isForbidden(error)) return new ConfigError(`the role in DATABASE_URL has to own the database: ${message}.`);
  if (isDamaged(error))
    return new ConfigError(
      `the database ${file} is damaged (${message}). Check the disk, then take the newest backup: ` +
        `${commandLine("restore", "FILE --overwrite")}. The damaged file stays beside it.`,
    );
  if (isAccessDenied(error))
    return new ConfigError(`the database ${file} can't be opened (${message}). It and the files beside it have to belong to this account.`);
  const logged = error instanceof NotSavedError ? error.cause : error;
  if (isBusy(logged)) return new ConfigError(`the database ${file} is in use by another program (${message}). Wait until that has ended.`);
  if (isDiskFailure(logged)) return new ConfigError(`the database ${file} can't be written to (${(logged as Error).message}).`);
  return error as Error;
}
