import { appendFileSync, readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded by `--import`: the clock runs normally, but skips CLOCK_SKIP_MS every CLOCK_EVERY_MS since CLOCK_FROM, in all processes at once.
 * Jobs with intervals of a minute or less follow that clock, at most once a second; timeouts keep real time, since machine and network are
 * no faster. The process's memory and handles are added to the file CLOCK_FIGURES every second.
 */
const [from, everyMs, skipMs] = ["CLOCK_FROM", "CLOCK_EVERY_MS", "CLOCK_SKIP_MS"].map((name) => Number(process.env[name])) as [
  number,
  number,
  number,
];
const minute = 60_000;
const second = 1_000;
const real = Date;
const now = () => real.now() + Math.floor((real.now() - from) / everyMs) * skipMs;

class FastDate extends real {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(now());
    else super(...given);
  }
  static override now(): number {
    return now();
  }
}
globalThis.Date = FastDate as DateConstructor;

const repeating = new Set<unknown>();
const { setInterval: setRealInterval, clearInterval: clearRealInterval } = globalThis;
const scaled = (ms: number) => (ms >= minute ? Math.max(second, ms / (1 + skipMs / everyMs)) : ms);
globalThis.setInterval = ((work: () => void, ms = 0, ...given: []) => {
  const timer = setRealInterval(work, scaled(ms), ...given);
  repeating.add(timer);
  return timer;
}) as typeof setInterval;
globalThis.clearInterval = (timer) => {
  repeating.delete(timer);
  clearRealInterval(timer);
};

/** After garbage collection. Memory in bytes. */
export type ProcessUsage = { at: number; resident: number; heap: number; openFiles: number; handles: number; repeating: number };

const file = process.env.CLOCK_FIGURES;
if (file && isMainThread && process.argv[1]?.endsWith("serve.js")) {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  setRealInterval(() => {
    collectGarbage();
    const { rss: resident, heapUsed: heap } = process.memoryUsage();
    const handles = process.getActiveResourcesInfo().length;
    const usage: ProcessUsage = { at: real.now(), resident, heap, openFiles: countOpenFiles(), handles, repeating: repeating.size };
    appendFileSync(file, `${JSON.stringify(usage)}\n`);
  }, second).unref();
}

function countOpenFiles(): number {
  try {
    return readdirSync("/dev/fd").length;
  } catch {
    return 0; // Windows has no count.
  }
}
