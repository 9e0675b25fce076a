import { pino } from "pino";

export type Log = pino.Logger;

/** Whoever sits before a terminal reads the greeting; requests come up there only when they are asked for. */
const usualLevel = process.stdout.isTTY ? "warn" : "info";

/** @param level - one of pino's; an empty text counts as none */
export function createLog(level?: string): Log {
  return pino({ level: level || usualLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
