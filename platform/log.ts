import { pino } from "pino";

export type Log = pino.Logger;

/** Whoever sits before a terminal reads the greeting; requests come up there only when they are asked for. */
const usualLevel = process.stdout.isTTY ? "warn" : "info";

const batch = { dest: 1, minLength: 8 * 1024, sync: true };
const flushEveryMs = 200;
const warning = 40;

/**
 * Lines are written together, a few times a second; whatever went wrong, and what came before it, at once.
 * @param chosen - one of pino's levels; an empty text counts as none
 */
export function createLog(chosen?: string): Log {
  const level = chosen || usualLevel;
  if (level === "silent") return pino({ level });
  const destination = pino.destination(batch);
  setInterval(() => destination.flushSync(), flushEveryMs).unref();
  process.once("exit", () => destination.flushSync());
  const logMethod: pino.LoggerOptions["hooks"] = {
    logMethod(args, method, severity) {
      method.apply(this, args);
      if (severity >= warning) destination.flushSync();
    },
  };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: logMethod }, destination);
}

/** As `log.info` writes it, for less than half of the work: `fields` are JSON already, without braces. */
export function logLine(log: Log, fields: string, message: string): void {
  if (!log.isLevelEnabled("info")) return;
  const stream = (log as unknown as Record<symbol, { write(line: string): void }>)[pino.symbols.streamSym];
  stream?.write(`{"level":30${pino.stdTimeFunctions.isoTime()},${fields},"msg":"${message}"}\n`);
}
