import { isCanceled, isOutage } from "../database/errors.ts";
import type { Log } from "../log.ts";
import { coalesceCalls } from "./coalesce-calls.ts";

const retryAfterMs = 1_000;

/** `read` throws; `reload` logs a failure and reads again every second until the outage is over. */
export type SerialReads = { read(): Promise<void>; reload(): Promise<void> };

/**
 * Reads a value that changes in the database into memory, one read at a time, so that an older result never replaces a newer one. Each call
 * sees everything committed before it.
 */
export function serialReads(readOnce: () => Promise<void>, log: Log, name: string): SerialReads {
  const read = coalesceCalls(readOnce);
  const reload = async () => {
    try {
      await read();
    } catch (err) {
      log.warn({ err }, `${name} can't be read`);
      // Other errors would repeat forever, as does that of a closed database.
      if (isOutage(err) || isCanceled(err)) setTimeout(() => void reload(), retryAfterMs).unref();
    }
  };
  return { read, reload };
}
