import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/** Loaded into the site's process with `--import`: reports its resource usage to the parent. */
export type Reading = {
  /** Processor milliseconds of all threads. */
  cpuMs: number;
  /** The main thread's. */
  mainMs: number;
  /** The main thread's longest task since the last reading. */
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
  process.on("message", (question: Question | undefined) => {
    if (typeof question?.meter !== "number") return;
    if (question.collect) collect();
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
    process.send?.({ meter: question.meter, reading } satisfies MeterAnswer);
  });
}
