import { readFileSync } from "node:fs";
import { arch, cpus } from "node:os";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { findPostgres } from "../tests/postgres/start.ts";
import { startServer } from "../tests/support/process.ts";
import { connectAll, type Load, measure } from "./message-load.ts";
import { bareClient, makePairs, ourClient, startEcho } from "./message-people.ts";

/**
 * `npm run bench -- messages [sqlite|postgres] [seconds] [pairs] [rates]`: idle sockets held per GB, and how long a message takes from
 * its sender's socket to its receiver's, at 100, 1,000 and 5,000 a second; beside each figure that of a bare `ws` server that
 * echoes, in the same run on the same machine. Durable all the way: a message that arrives is on the disk.
 */
const engine = (process.argv[2] === "postgres" ? "postgres" : "sqlite") as Engine;
const seconds = Number(process.argv[3] ?? 10);
const pairs = Number(process.argv[4] ?? 1_000);
const rates = process.argv[5]?.split(",").map(Number) ?? [100, 1_000, 5_000];

if (engine === "postgres") await findPostgres();
const server = await startServer({}, engine);
const echo = await startEcho();
const site = await openSite(readConfig(server.environment), createLog("silent"));
try {
  console.log(`${cpus().length} x ${cpus()[0]?.model ?? "processor"}, ${arch()}, Node ${process.versions.node}, ${engine}`);
  console.log(`${pairs} pairs of people, ${seconds} s each; latency from the moment a message should be sent\n`);
  const people = await makePairs(site, pairs);
  const before = memoryOf(server.pid());
  const ours = await connectAll(people.map((person, index) => ourClient(server.url, person, index)));
  console.log(idleLine("Inkstead", memoryOf(server.pid()) - before, ours.length));
  const bareBefore = memoryOf(echo.pid);
  const bare = await connectAll(people.map(() => bareClient(echo.port)));
  console.log(idleLine("bare ws", memoryOf(echo.pid) - bareBefore, bare.length));
  console.log("\n| messages a second | | arrived a second | p50 | p99 |\n|---|---|---|---|---|");
  for (const rate of rates) {
    console.log(row(rate, "bare `ws` echo", await measure(bare, { rate, seconds })));
    console.log(row(rate, "Inkstead", await measure(ours, { rate, seconds })));
  }
} finally {
  await closeSite(site);
  echo.child.kill();
  await server.close();
}
process.exit(0);

/** Resident bytes of a process, on Linux. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}

function idleLine(name: string, bytes: number, count: number): string {
  const each = bytes / count;
  return `${name}: ${count.toLocaleString("en-US")} idle sockets, ${(each / 1024).toFixed(1)} KB each, ${Math.round(2 ** 30 / each).toLocaleString("en-US")} per GB`;
}

function row(rate: number, name: string, { arrived, p50, p99 }: Load): string {
  return `| ${rate.toLocaleString("en-US")} | ${name} | ${Math.round(arrived).toLocaleString("en-US")} | ${p50.toFixed(1)} ms | ${p99.toFixed(1)} ms |`;
}
