import { parseArgs } from "node:util";
import { describe, fuzz, type Report, repeatBatch } from "../tests/fuzz/fuzz.ts";
import { openTarget } from "../tests/fuzz/target.ts";
import { findEngine } from "../tests/postgres/start.ts";
import { seedDemo } from "./demo/seed.ts";

/**
 * `npm run fuzz -- [--requests 100000] [--seed 1] [--minutes 90] [--engine sqlite|postgres]`: the long version of tests/fuzz.test.ts
 * against the sample community; prints its table. `--batch N` repeats one batch, one request at a time; `--generated` leaves out the known
 * attacks.
 */
const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { requests: text, seed: text, minutes: text, engine: text, batch: text, generated: { type: "boolean" } },
});
const requests = Number(values.requests ?? 100_000);
const seed = Number(values.seed ?? 1);
const engine = await findEngine(values.engine);

const maximum = { cpuMs: 1_000, healthMs: 250, leftBytes: 50 * 1024 * 1024 };
const reportEveryMs = 20_000;

const target = await openTarget(engine, { people: 250, fill: seedDemo });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"])
  process.once(signal, () => void target.close().then(() => process.exit(1)));
let passed = true;
try {
  if (values.batch !== undefined) {
    await repeatBatch(target, {
      seed,
      batch: Number(values.batch),
      report: (attempt, { status }, { all, main, stall }) =>
        console.log(`${status}  ${all} ms, main ${main}, stall ${stall}  ${describe(attempt)}`),
    });
  } else {
    let reportedAt = 0;
    const onProgress = (sent: number, { crashes, failures, costly }: Report) => {
      if (performance.now() - reportedAt < reportEveryMs) return;
      reportedAt = performance.now();
      console.log(`  ${sent} sent, ${crashes.length} crashes, ${failures.length} failures, worst ${costly[0]?.all ?? 0} ms`);
    };
    passed = print(
      await fuzz(target, {
        requests,
        seed,
        maxMinutes: Number(values.minutes ?? 90),
        known: !values.generated,
        measures: true,
        onProgress,
      }),
    );
  }
} finally {
  await target.close();
}
process.exit(passed ? 0 : 1);

function print(report: Report): boolean {
  const { memory, health, costly, statuses, largestAnswer, longestStall } = report;
  const left = memory.after - memory.before;
  const worst = costly[0]?.all ?? 0;
  const rows: [what: string, value: string, passed: boolean][] = [
    [
      "requests",
      `${report.sent}${report.sent < requests ? ` of ${requests}, cut short,` : ""} on ${report.endpoints} endpoints, ${report.frames} frames, in ${report.seconds} s`,
      true,
    ],
    [
      "responses",
      Object.entries(statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(", "),
      true,
    ],
    ["crashes", String(report.crashes.length), report.crashes.length === 0],
    ["failures (500 or an error in the log)", String(report.failures.length), report.failures.length === 0],
    ["most expensive request, ms of CPU time", worst === 0 ? "under 100" : String(worst), worst <= maximum.cpuMs],
    ["slowest /healthz, ms beyond the machine's own", health.worst.toFixed(0), health.worst <= maximum.healthMs],
    ["  longest stall of the main thread, ms", `${longestStall.milliseconds.toFixed(0)}  ${longestStall.during}`, true],
    ["  the machine's own worst, ms", health.machineWorst.toFixed(0), true],
    ["  /healthz without a response", `${health.failures} of ${health.probes + health.failures}`, health.failures === 0],
    ["memory before, peak, after, MB", [memory.before, memory.peak, memory.after].map(megabytes).join(", "), true],
    ["  growth, MB", megabytes(left), left <= maximum.leftBytes],
    ["  of it on the heap, MB", megabytes(memory.heapAfter - memory.heapBefore), true],
    ["largest response, bytes", `${largestAnswer.bytes}  ${largestAnswer.again}`, true],
  ];
  for (const [what, value, ok] of rows) console.log(`${ok ? " " : "✗"} ${what.padEnd(46)} ${value}`);
  for (const { all, main, stall, again } of costly)
    console.log(`    ${all} ms, of it on the main thread ${main}, longest stall ${stall}: ${again}`);
  for (const each of [...report.crashes, ...report.failures].slice(0, 40)) console.log(`    ${each.slice(0, 400)}`);
  return rows.every(([, , ok]) => ok);
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
