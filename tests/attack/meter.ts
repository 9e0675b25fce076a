import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/** Loaded beside the site with `--import`: tells whoever started the process what it costs. No part of the product. */
export type Reading = {
  /** Milliseconds of the processor, all threads together. */
  cpuMs: number;
  /** The same of the thread that answers everybody. */
  mainMs: number;
  /** The longest time since the last reading for which that thread did one thing only. */
  stallMs: number;
  /** Bytes. */
  rss: number;
  heap: number;
};

export type Question = { meter: number; collect: boolean };
export type MeterAnswer = { meter: number; reading: Reading };

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const stalls = monitorEventLoopDelay({ resolution: 10 });
  stalls.enable();
  process.on("message", (asked: Question | undefined) => {
    if (typeof asked?.meter !== "number") return;
    if (asked.collect) collect();
    const { user, system } = process.cpuUsage();
    const main = process.threadCpuUsage();
    const { rss, heapUsed, external } = process.memoryUsage();
    const reading: Reading = {
      cpuMs: (user + system) / 1000,
      mainMs: (main.user + main.system) / 1000,
      stallMs: stalls.max / 1_000_000,
      rss,
      heap: heapUsed + external,
    };
    stalls.reset();
    process.send?.({ meter: asked.meter, reading } satisfies MeterAnswer);
  });
}
