import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Site } from "#domain/site.ts";

type WatchdogOptions = {
  /** Milliseconds of lag that count as too much. */
  lagLimit: number;
  /** Milliseconds between two looks. */
  window?: number;
  log?: Pick<Site["log"], "warn">;
};

export type Watchdog = { isOverloaded(): boolean; close(): void };

/** One stall (a backup's first second, say) is no overload; and once it is one, it ends when it has been calm for a while. */
const lateWindows = 2;
const calmWindows = 3;

/** `isOverloaded` while the event loop’s 99th percentile is over the limit; ends under a quarter of it, so that it doesn’t flutter. */
export function watchLoop({ lagLimit, window = 1_000, log }: WatchdogOptions): Watchdog {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let [late, calm, overloaded] = [0, 0, false];
  let lookedAt = performance.now();
  const looking = setInterval(() => {
    const now = performance.now();
    // How late this look is tells of a loop that doesn't come round at all.
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
