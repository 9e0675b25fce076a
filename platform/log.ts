import { pino } from "pino";
import { kilobyte } from "#platform/bytes.ts";
import { currentRequest } from "./request-context.ts";

export type Log = pino.Logger;

/** In a terminal, request lines would hide the start message. */
const defaultLevel = process.stdout.isTTY ? "warn" : "info";

const batch = { dest: 1, minLength: 8 * kilobyte, sync: true };
const flushEveryMs = 200;
const [warning, error] = [40, 50];

export type LoggedError = { err: Error; message: string; path: string | undefined; requestId: string | undefined };

function passToErrorRecorder([fields, message]: unknown[], onError: (logged: LoggedError) => void): void {
  const { err, path } = Object(fields) as { err?: unknown; path?: string };
  const request = currentRequest();
  if (err instanceof Error) onError({ err, message: String(message ?? ""), path: path ?? request?.path, requestId: request?.id });
}

function nameRequest(): { requestId?: string } {
  const request = currentRequest();
  return request ? { requestId: request.id } : {};
}

/**
 * Writes in batches; warnings and errors, with everything before them, at once. @param chosen a pino level @param onError called for each
 * logged error
 */
export function createLog(chosen?: string, onError: (logged: LoggedError) => void = () => {}): Log {
  const level = chosen || defaultLevel;
  if (level === "silent") return pino({ level });
  const destination = pino.destination(batch);
  // Not flushSync, which also calls fsync and blocks the process while a slow disk is busy.
  setInterval(() => destination.flush(), flushEveryMs).unref();
  process.once("exit", () => destination.flushSync());
  const logMethod: pino.LoggerOptions["hooks"] = {
    logMethod(args, method, severity) {
      method.apply(this, args);
      if (severity >= warning) destination.flushSync();
      if (severity >= error) passToErrorRecorder(args, onError);
    },
  };
  return pino({ level, base: null, timestamp: isoTime, mixin: nameRequest, hooks: logMethod }, destination);
}

let formatted = { at: 0, time: "" };

/** Formatted once per millisecond: up to thirty cached pages share one, and formatting took 4 % of each. */
function isoTime(): string {
  const at = Date.now();
  if (at !== formatted.at) formatted = { at, time: pino.stdTimeFunctions.isoTime() };
  return formatted.time;
}

/** Less than half the cost of `log.info`: `fields` are JSON without braces. */
export function logLine(log: Log, fields: string, message: string): void {
  if (!log.isLevelEnabled("info")) return;
  const stream = (log as unknown as Record<symbol, { write(line: string): void }>)[pino.symbols.streamSym];
  stream?.write(`{"level":30${isoTime()},${fields},"msg":"${message}"}\n`);
}
