import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import autocannon from "autocannon";
import { openCluster } from "../tests/postgres/cluster.ts";
import { median, table } from "./measure.ts";
import { formatCount } from "./table/report.ts";

/**
 * `npm run bench -- api-list [seconds]`: API lists of 12 stories per CPU-second, alternating with bare Hono; medians of three rounds. Members' requests
 * alternate between twenty sessions.
 */
const seconds = Number(process.argv[2] ?? 4);
const rounds = 3;
const query = (value: object) => `queries[]=${encodeURIComponent(JSON.stringify(value))}`;
const newest = [
  query({ method: "equal", attribute: "status", values: ["active"] }),
  query({ method: "orderDesc", attribute: "$createdAt" }),
  query({ method: "limit", values: [12] }),
];
const card = query({ method: "select", values: ["title", "featuredImage", "userId", "userName", "views", "likesCount"] });
const list = `/v1/databases/main/collections/posts/documents?${newest.join("&")}`;
const cases = [
  { name: "12 stories, whole", path: list },
  { name: "12 stories, attributes of cards", path: `${list}&${card}` },
  { name: "12 stories, whole, not counted", path: `${list}&total=false` },
];
const headers = { "x-appwrite-project": "inkstead", "x-appwrite-response-format": "1.7.0" };

type Server = { process: ChildProcess; ports: [bare: number, web: number]; sessions: string[] };

const cluster = await openCluster([]);
const rows: string[][] = [];
try {
  for (const [engine, url] of [["sqlite"], ["postgres", cluster.url]] as const) {
    const server = await start(url ? [url] : []);
    for (const caller of ["visitors", "members"])
      for (const { name, path } of cases) {
        const rates = { bare: [] as number[], own: [] as number[] };
        for (let round = 0; round < rounds; round++) {
          rates.bare.push(await rate(server, `http://127.0.0.1:${server.ports[0]}/`, []));
          rates.own.push(await rate(server, `http://127.0.0.1:${server.ports[1]}${path}`, caller === "members" ? server.sessions : []));
        }
        const ratio = median(rates.own.map((own, round) => own / (rates.bare[round] ?? 1)));
        rows.push([engine, name, caller, formatCount(median(rates.own)), formatCount(median(rates.bare)), `${(ratio * 100).toFixed(0)} %`]);
      }
    server.process.disconnect();
    await once(server.process, "exit");
  }
} finally {
  await cluster.close();
}
console.log(table(["engine", "list", "caller", "per CPU-second", "bare Hono", "ratio"], rows));

async function start(args: string[]): Promise<Server> {
  const process_ = fork(join(import.meta.dirname, "api-list-server.ts"), args, { execArgv: process.execArgv });
  const [{ ports, sessions }] = (await once(process_, "message")) as [Pick<Server, "ports" | "sessions">];
  return { process: process_, ports, sessions };
}

async function rate({ process: server }: Server, url: string, sessions: string[]): Promise<number> {
  const requests = (sessions.length > 0 ? sessions : [undefined]).map((session) => ({
    headers: { ...headers, ...(session && { "x-appwrite-session": session }) },
  }));
  const load = (duration: number) => autocannon({ url, connections: 20, duration, requests });
  await load(1);
  const before = await usedSeconds(server);
  const { requests: done, non2xx } = await load(seconds);
  if (non2xx > 0) throw new Error(`${url}: ${non2xx} responses were errors`);
  return done.total / ((await usedSeconds(server)) - before);
}

async function usedSeconds(server: ChildProcess): Promise<number> {
  server.send("cpu");
  const [{ user, system }] = (await once(server, "message")) as [NodeJS.CpuUsage];
  return (user + system) / 1_000_000;
}
