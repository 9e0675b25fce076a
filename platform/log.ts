import { pino } from "pino";

/** One JSON line per event on standard output; `LOG_LEVEL` is pino's own. */
export type Log = pino.Logger;

export function createLog(level = "info"): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
