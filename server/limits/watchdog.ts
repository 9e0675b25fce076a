import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Site } from "#domain/site.ts";

type WatchdogOptions = {
  /** Milliseconds. */
  lagLimit: number;
  /** Milliseconds between measurements. */
  window?: number;
  log?: Pick<Site["log"], "warn">;
};

export type Watchdog = { isOverloaded(): boolean; close(): void };

/** A single stall, such as the start of a backup, is no overload. */
const lateWindows = 2;
const calmWindows = 3;

/** Overloaded while the event loop’s 99th percentile is over the limit, until it is under a quarter of it (hysteresis). */
export function watchLoop({ lagLimit, window = 1_000, log }: WatchdogOptions): Watchdog {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let [late, calm, overloaded] = [0, 0, false];
  let lookedAt = performance.now();
  const looking = setInterval(() => {
    const now = performance.now();
    // A blocked loop shows only as a late measurement.
    const lag = Math.max(delay.percentile(99) / 1e6, now - lookedAt - window);
    lookedAt = now;
    delay.reset();
    late = lag > lagLimit ? late + 1 : 0;
    calm = lag < lagLimit / 4 ? calm + 1 : 0;
    const is = overloaded ? calm < calmWindows : late >= lateWindows;
    if (is !== overloaded) log?.warn({ lagMs: Math.round(lag) }, is ? "overloaded: costly requests are refused" : "no longer overloaded");
    overloaded = is;
  }, window);
  looking.unref();
  return {
    isOverloaded: () => overloaded,
    close() {
      clearInterval(looking);
      delay.disable();
    },
  };
}
