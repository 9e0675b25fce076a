import { pino } from "pino";

export type Log = pino.Logger;

export function createLog(level = "info"): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
