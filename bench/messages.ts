import { readFileSync } from "node:fs";
import { arch, cpus } from "node:os";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { findPostgres } from "../tests/postgres/start.ts";
import { startServer } from "../tests/support/process.ts";
import { connectAll, type Load, measure } from "./message-load.ts";
import { echoClient, makePairs, siteClient, startEchoServer } from "./message-people.ts";

/**
 * `npm run bench -- messages [sqlite|postgres] [seconds] [pairs] [rates]`: idle sockets per GB, and the latency of durable
 * messages from the sender's socket to the receiver's at 100, 1,000 and 5,000 a second, compared with a bare `ws` server that echoes, in the
 * same run.
 */
const engine = (process.argv[2] === "postgres" ? "postgres" : "sqlite") as Engine;
const seconds = Number(process.argv[3] ?? 10);
const pairs = Number(process.argv[4] ?? 1_000);
const rates = process.argv[5]?.split(",").map(Number) ?? [100, 1_000, 5_000];

if (engine === "postgres") await findPostgres();
const server = await startServer({}, engine);
const echo = await startEchoServer();
const site = await openSite(readConfig(server.environment), createLog("silent"));
try {
  console.log(`${cpus().length} x ${cpus()[0]?.model ?? "processor"}, ${arch()}, Node ${process.versions.node}, ${engine}`);
  console.log(`${pairs} pairs of people, ${seconds} s each; latency from the time a message is due\n`);
  const people = await makePairs(site, pairs);
  const before = memoryOf(server.pid());
  const siteSenders = await connectAll(people.map((person, index) => siteClient(server.url, person, index)));
  console.log(idleLine("Inkstead", memoryOf(server.pid()) - before, siteSenders.length));
  const echoBefore = memoryOf(echo.pid);
  const echoSenders = await connectAll(people.map(() => echoClient(echo.port)));
  console.log(idleLine("bare ws", memoryOf(echo.pid) - echoBefore, echoSenders.length));
  console.log("\n| sent per second | | received per second | p50 | p99 |\n|---|---|---|---|---|");
  for (const rate of rates) {
    console.log(row(rate, "bare `ws` echo", await measure(echoSenders, { rate, seconds })));
    console.log(row(rate, "Inkstead", await measure(siteSenders, { rate, seconds })));
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
