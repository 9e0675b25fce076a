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
const overloadedWindows = 2;
const recoveredWindows = 3;

/** Overloaded while the event loop’s 99th percentile is over the limit, until it is under a quarter of it (hysteresis). */
export function watchEventLoop({ lagLimit, window = 1_000, log }: WatchdogOptions): Watchdog {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let [windowsOverLimit, windowsBelowLimit, overloaded] = [0, 0, false];
  let measuredAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // A blocked loop shows only as a late measurement.
    const lag = Math.max(delay.percentile(99) / 1e6, now - measuredAt - window);
    measuredAt = now;
    delay.reset();
    windowsOverLimit = lag > lagLimit ? windowsOverLimit + 1 : 0;
    windowsBelowLimit = lag < lagLimit / 4 ? windowsBelowLimit + 1 : 0;
    const isNow = overloaded ? windowsBelowLimit < recoveredWindows : windowsOverLimit >= overloadedWindows;
    if (isNow !== overloaded)
      log?.warn({ lagMs: Math.round(lag) }, isNow ? "overloaded: costly requests are refused" : "no longer overloaded");
    overloaded = isNow;
  }, window);
  timer.unref();
  return {
    isOverloaded: () => overloaded,
    close() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
