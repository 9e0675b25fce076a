import { statSync } from "node:fs";
import { megabyte } from "#platform/bytes.ts";

/** Maximum size of the WAL while there is no long-running reader. */
export const walLimitBytes = 8 * megabyte;

export type MaintenanceIntervals = { optimizeIntervalMs: number; shrinkWalIntervalMs: number };

type Tasks = {
  /** Updates the statistics of tables that have grown, so that queries choose the right index. */
  optimize(): Promise<void>;
  shrinkWal(): Promise<void>;
};

/** Periodic maintenance of an open SQLite file. @returns a function that stops it. */
export function startMaintenance(file: string, tasks: Tasks, intervals: MaintenanceIntervals): () => void {
  const timers = [
    setInterval(() => void tasks.optimize().catch(warnMaintenanceFailed), intervals.optimizeIntervalMs),
    setInterval(() => walSize(file) > walLimitBytes && void tasks.shrinkWal().catch(warnMaintenanceFailed), intervals.shrinkWalIntervalMs),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach(clearInterval);
}

export function warnMaintenanceFailed(error: unknown): void {
  process.emitWarning(`Database maintenance failed: ${error instanceof Error ? error.message : String(error)}`);
}

function walSize(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
