import { join } from "node:path";
import { days } from "#platform/time.ts";

/** Controls the clock of processes that load fast-clock.ts. */
export type Clock = { environment: Record<string, string>; now(): number };

/** Skips `skipMs` every `everyMs`. `aheadDays`: since the beginning. */
export function openClock({ everyMs, skipMs, aheadDays = 0 }: { everyMs: number; skipMs: number; aheadDays?: number }): Clock {
  const from = Math.round(Date.now() - (days(aheadDays) / skipMs) * everyMs);
  return {
    environment: {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, "fast-clock.ts")}`,
      CLOCK_FROM: String(from),
      CLOCK_EVERY_MS: String(everyMs),
      CLOCK_SKIP_MS: String(skipMs),
    },
    now: () => Date.now() + Math.floor((Date.now() - from) / everyMs) * skipMs,
  };
}
