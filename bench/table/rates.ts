import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Asked, Asking } from "./asker.ts";
import type { Answer } from "./bare-server.ts";

/** A request. `headers` besides the host, one set for each of several alternating clients. */
export type Question = { path: string; headers: Record<string, string>[]; connections: number };

/**
 * Responses per second by the clock and per second of processor time, which other load doesn't change; `share` is of bare `node:http`
 * sending the same bytes.
 */
export type Rate = { perSecond: number; perCore: number; barePerCore: number; share: number; p50: number; p99: number };

export type Server = { port: number; pid: number };

export type Asker = {
  compare(server: Server, question: Question): Promise<Rate>;
  close(): void;
};

const rounds = 2;
/** Node optimises the code of a page within some thousand requests. */
const warmUpMs = 3_000;
const roundMs = 1_200;
/** Headers that differ in each response, or that Node sets. */
const notRepeated = new Set(["content-length", "transfer-encoding", "date", "connection", "keep-alive"]);

export async function openAsker(): Promise<Asker> {
  const start = (file: string) => fork(join(import.meta.dirname, file), { execArgv: process.execArgv });
  const [asker, bare] = [start("asker.ts"), start("bare-server.ts")];
  const [{ port }] = (await once(bare, "message")) as [{ port: number }];
  const bareServer = { port, pid: bare.pid ?? 0 };

  async function ask(server: Server, question: Question, milliseconds: number): Promise<Asked & { cpu: number }> {
    const { path, headers, connections } = question;
    const requests = headers.map((each) => requestOf(path, { host: `localhost:${server.port}`, ...each }));
    const before = processorSeconds(server.pid);
    const asked = await tell<Asked | { failed: string }>(asker, {
      port: server.port,
      requests,
      connections,
      milliseconds,
    } satisfies Asking);
    if ("failed" in asked) throw new Error(`${path}: ${asked.failed}`);
    if (asked.refused > 0) throw new Error(`${path}: ${asked.refused} of ${asked.answered} answers were refusals or errors`);
    const after = processorSeconds(server.pid);
    // Without /proc by the clock, which is right while the server is the bottleneck.
    const cpu = before === undefined || after === undefined ? asked.milliseconds / 1000 : after - before;
    return { ...asked, cpu };
  }

  async function compare(server: Server, question: Question): Promise<Rate> {
    const answer = await fetchAnswer(server.port, question);
    await tell(bare, answer);
    await ask(server, question, warmUpMs);
    await ask(bareServer, question, roundMs / 4);
    const own: Awaited<ReturnType<typeof ask>>[] = [];
    const other: typeof own = [];
    for (let round = 0; round < rounds; round++) {
      other.push(await ask(bareServer, question, roundMs));
      own.push(await ask(server, question, roundMs));
    }
    const perCore = (measured: typeof own) => sum(measured, "answered") / sum(measured, "cpu");
    const [first, last] = [own[0], own.at(-1)];
    return {
      perSecond: sum(own, "answered") / (sum(own, "milliseconds") / 1000),
      perCore: perCore(own),
      barePerCore: perCore(other),
      share: perCore(own) / perCore(other),
      p50: ((first?.p50 ?? 0) + (last?.p50 ?? 0)) / 2,
      p99: Math.max(first?.p99 ?? 0, last?.p99 ?? 0),
    };
  }

  return {
    compare,
    close() {
      asker.disconnect();
      bare.disconnect();
    },
  };
}

async function tell<Told>(child: ChildProcess, what: object): Promise<Told> {
  const answered = once(child, "message");
  child.send(what);
  return (await answered)[0] as Told;
}

function requestOf(path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

async function fetchAnswer(port: number, { path, headers }: Question): Promise<Answer> {
  // A first request fills caches.
  for (const pause of [200, 0]) {
    const { status, answer } = await get(port, path, headers[0] ?? {});
    if (status !== 200) throw new Error(`${path} is answered with ${status}`);
    if (pause === 0) return answer;
    await wait(pause);
  }
  throw new Error("unreachable");
}

function get(port: number, path: string, headers: Record<string, string>): Promise<{ status: number; answer: Answer }> {
  return new Promise((resolve, reject) => {
    const asking = request({ port, path, host: "127.0.0.1", headers: { host: `localhost:${port}`, ...headers } }, async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece as Buffer);
      const { rawHeaders } = response;
      const all = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1]] as [string, string]] : []));
      const repeated = all.filter(([name]) => !notRepeated.has(name));
      resolve({ status: response.statusCode ?? 0, answer: { headers: repeated, body: Buffer.concat(pieces).toString("base64") } });
    });
    asking.on("error", reject).end();
  });
}

/** Processor seconds of a process, on Linux. */
function processorSeconds(pid: number): number | undefined {
  const fields = readStatus(`/proc/${pid}/stat`)?.split(") ")[1]?.split(" ");
  // utime and stime, in hundredths of a second.
  return fields && (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident megabytes of a process, on Linux. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readStatus(`/proc/${pid}/status`) ?? "")?.[1] ?? Number.NaN) / 1024;
}

function readStatus(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function sum<Key extends string>(measured: Record<Key, number>[], key: Key): number {
  return measured.reduce((total, each) => total + each[key], 0);
}
