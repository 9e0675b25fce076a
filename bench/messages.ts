import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { arch, cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { postMessage } from "#domain/messages/messages.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { addMember, signIn } from "../tests/members.ts";
import { findPostgres } from "../tests/postgres/start.ts";
import { freePort, startServer } from "../tests/process.ts";
import { type Client, connectAll, type Load, measure } from "./message-load.ts";

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
  const ours = await connectAll(people.map(ourClient));
  console.log(idleLine("Inkstead", memoryOf(server.pid()) - before, ours.length));
  const bareBefore = memoryOf(echo.pid);
  const bare = await connectAll(people.map(bareClient));
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

type Person = { member: Member; partner: Member; cookie: string };

/** Pairs that have written each other before, so that beginning a conversation is not what is measured. */
async function makePairs(on: Site, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let index = 0; index < count; index++) {
    const [one, other] = [await addMember({ site: on }, `One ${index}`), await addMember({ site: on }, `Other ${index}`)];
    await postMessage(on, one, { to: other.id, text: "Hello", sendId: `first-${one.id}` });
    for (const [member, partner] of [
      [one, other],
      [other, one],
    ] as const)
      people.push({ member, partner, cookie: (await signIn({ site: on }, member)).cookie });
  }
  return people;
}

function ourClient({ member, partner, cookie }: Person, index: number): Client {
  const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  return {
    url: `${server.url.replace("http", "ws")}/live`,
    headers: { cookie, origin: server.url, "x-forwarded-for": address },
    hello: { subscribe: [`user:${member.id}`] },
    request: (text, sendId) => ({ send: { to: partner.id, text, sendId } }),
    acknowledged: (answer) => (answer.sent as { sendId?: string } | undefined)?.sendId,
    arrived: (answer) => {
      const message = answer.message as { senderId: string; message: string } | undefined;
      return message && message.senderId !== member.id ? message.message : undefined;
    },
  };
}

function bareClient(): Client {
  return {
    url: `ws://127.0.0.1:${echo.port}`,
    headers: {},
    hello: { subscribe: [] },
    request: (text, sendId) => ({ text, sendId }),
    acknowledged: (answer) => answer.sendId as string | undefined,
    arrived: (answer) => answer.text as string | undefined,
  };
}

async function startEcho(): Promise<{ child: ChildProcess; port: number; pid: number }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, "echo-server.ts"), String(port)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(child, "message");
  await wait(500);
  return { child, port, pid: child.pid ?? 0 };
}

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
