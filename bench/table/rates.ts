import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { FixedResponse } from "./bare-server.ts";
import type { LoadOptions, LoadResult } from "./load-generator.ts";

/** A repeated request. `headers` besides the host, one set for each of several alternating clients. */
export type Workload = { path: string; headers: Record<string, string>[]; connections: number };

/**
 * Responses per second by the clock and per second of processor time, which other load doesn't change; `share` is of bare `node:http`
 * sending the same bytes.
 */
export type Rate = { perSecond: number; perCore: number; barePerCore: number; share: number; p50: number; p99: number };

export type Server = { port: number; pid: number };

export type LoadTester = {
  compare(server: Server, workload: Workload): Promise<Rate>;
  close(): void;
};

/** Short alternating rounds: a machine whose speed changes affects the site and bare `node:http` alike. */
const rounds = 6;
/** Node optimizes the code of a page within some thousand requests. */
const warmUpMs = 3_000;
const roundMs = 400;
/** Headers that differ in each response, or that Node sets. */
const droppedHeaders = new Set(["content-length", "transfer-encoding", "date", "connection", "keep-alive"]);

export async function openLoadTester(): Promise<LoadTester> {
  const start = (file: string) => fork(join(import.meta.dirname, file), { execArgv: process.execArgv });
  const [generator, bare] = [start("load-generator.ts"), start("bare-server.ts")];
  const [{ port }] = (await once(bare, "message")) as [{ port: number }];
  const bareServer = { port, pid: bare.pid ?? 0 };

  async function generateLoad(server: Server, workload: Workload, milliseconds: number): Promise<LoadResult & { cpu: number }> {
    const { path, headers, connections } = workload;
    const requests = headers.map((each) => requestOf(path, { host: `localhost:${server.port}`, ...each }));
    const before = processorSeconds(server.pid);
    const result = await callChild<LoadResult | { failed: string }>(generator, {
      port: server.port,
      requests,
      connections,
      milliseconds,
    } satisfies LoadOptions);
    if ("failed" in result) throw new Error(`${path}: ${result.failed}`);
    if (result.refused > 0) throw new Error(`${path}: ${result.refused} of ${result.responses} responses were errors`);
    const after = processorSeconds(server.pid);
    // Without /proc by the clock, which is right while the server is the bottleneck.
    const cpu = before === undefined || after === undefined ? result.milliseconds / 1000 : after - before;
    return { ...result, cpu };
  }

  async function compare(server: Server, workload: Workload): Promise<Rate> {
    const response = await fetchResponse(server.port, workload);
    await callChild(bare, response);
    await generateLoad(server, workload, warmUpMs);
    await generateLoad(bareServer, workload, roundMs);
    const siteRuns: Awaited<ReturnType<typeof generateLoad>>[] = [];
    const bareRuns: typeof siteRuns = [];
    for (let round = 0; round < rounds; round++) {
      bareRuns.push(await generateLoad(bareServer, workload, roundMs));
      siteRuns.push(await generateLoad(server, workload, roundMs));
    }
    const perCore = (measured: typeof siteRuns) => sum(measured, "responses") / sum(measured, "cpu");
    const [first, last] = [siteRuns[0], siteRuns.at(-1)];
    return {
      perSecond: sum(siteRuns, "responses") / (sum(siteRuns, "milliseconds") / 1000),
      perCore: perCore(siteRuns),
      barePerCore: perCore(bareRuns),
      share: perCore(siteRuns) / perCore(bareRuns),
      p50: ((first?.p50 ?? 0) + (last?.p50 ?? 0)) / 2,
      p99: Math.max(first?.p99 ?? 0, last?.p99 ?? 0),
    };
  }

  return {
    compare,
    close() {
      generator.disconnect();
      bare.disconnect();
    },
  };
}

async function callChild<Reply>(child: ChildProcess, message: object): Promise<Reply> {
  const replied = once(child, "message");
  child.send(message);
  return (await replied)[0] as Reply;
}

function requestOf(path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

async function fetchResponse(port: number, { path, headers }: Workload): Promise<FixedResponse> {
  // A first request fills caches.
  await get(port, path, headers[0]);
  await wait(200);
  return get(port, path, headers[0]);
}

async function get(port: number, path: string, headers: Record<string, string> = {}): Promise<FixedResponse> {
  const outgoing = request({ port, path, host: "127.0.0.1", headers: { host: `localhost:${port}`, ...headers } }).end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const { statusCode, rawHeaders } = incoming;
  const body = await buffer(incoming);
  if (statusCode !== 200) throw new Error(`${path} responds with ${statusCode}`);
  const all = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1]] as [string, string]] : []));
  return { headers: all.filter(([name]) => !droppedHeaders.has(name)), body: body.toString("base64") };
}

/** Processor seconds of a process, on Linux. */
function processorSeconds(pid: number): number | undefined {
  const fields = readProc(`/proc/${pid}/stat`)?.split(") ")[1]?.split(" ");
  // utime and stime, in hundredths of a second.
  return fields && (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident megabytes of a process, on Linux. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProc(`/proc/${pid}/status`) ?? "")?.[1] ?? Number.NaN) / 1024;
}

/** The most that a process has used so far. 0 after its end. */
export function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readProc(`/proc/${pid}/status`) ?? "")?.[1] ?? 0) / 1024;
}

/** Undefined after the process has ended. */
export function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function sum<Key extends string>(measured: Record<Key, number>[], key: Key): number {
  return measured.reduce((total, each) => total + each[key], 0);
}
