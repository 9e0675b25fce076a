import { statSync } from "node:fs";
import { megabyte } from "#platform/bytes.ts";

/** What the log of unmerged writes may weigh when nobody reads from it, in bytes. */
export const logLimitBytes = 8 * megabyte;

/** How often, in milliseconds. */
export type UpkeepIntervals = { optimizeIntervalMs: number; shrinkLogIntervalMs: number };

type Tasks = {
  /** Measures the tables again where they have grown, so that queries choose the right index. */
  optimize(): Promise<void>;
  shrinkLog(): Promise<void>;
};

/** Does what a SQLite file needs while it is open for months. Returns what ends it. */
export function startUpkeep(file: string, tasks: Tasks, intervals: UpkeepIntervals): () => void {
  const timers = [
    setInterval(() => void tasks.optimize().catch(warn), intervals.optimizeIntervalMs),
    setInterval(() => logSize(file) > logLimitBytes && void tasks.shrinkLog().catch(warn), intervals.shrinkLogIntervalMs),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach(clearInterval);
}

export function warn(error: unknown): void {
  process.emitWarning(`The database could not be tidied: ${error instanceof Error ? error.message : String(error)}`);
}

function logSize(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
