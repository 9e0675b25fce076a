import { arch, cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findEngine } from "../tests/postgres/start.ts";
import { type DemoSite, openDemoSite } from "./table/demo-site.ts";
import { writeLikes } from "./table/likes.ts";
import { type MessageOptions, measureMessages } from "./table/messages.ts";
import { measurePictures } from "./table/pictures.ts";
import { type LoadTester, openLoadTester, residentMegabytes, type Workload } from "./table/rates.ts";
import { check, formatCount, type Line, print, rateLine } from "./table/report.ts";
import { measureTransfers } from "./table/transfers.ts";

/**
 * `npm run bench`: all figures about speed in one table, compared with bare `node:http` and bare `ws` in the same run. `--check` fails for
 * figures outside their bands (bench/table/bands.ts), `--only rates,messages` selects parts, `--engine postgres` measures on PostgreSQL.
 * `--seconds 8 --pairs 400 --rates 1000,6000` are for messages.
 */
const parts = {
  pictures: measurePictures,
  rates: measureRates,
  messages: measureChat,
  transfers: measureTransfers,
};
type Part = keyof typeof parts;

const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    only: { type: "string" },
    engine: { type: "string", default: "sqlite" },
    seconds: { type: "string", default: "5" },
    pairs: { type: "string", default: "200" },
    rates: { type: "string", default: "1000,6000" },
  },
});
const chosen = (values.only?.split(",") ?? Object.keys(parts)) as Part[];
const demo = await openDemoSite(await findEngine(values.engine));
const lines: Line[] = [];
try {
  await wait(2_000);
  lines.push(memoryLine("idle"), startLine("cold"), startLine("warm"));
  for (const part of chosen) lines.push(...(await parts[part](demo)));
  lines.push(memoryLine("after load"));
} finally {
  await demo.close();
}
console.log(`\n${cpus().length} x ${cpus()[0]?.model ?? "processor"}, ${arch()}, Node ${process.versions.node}, ${values.engine}\n`);
print(lines);
process.exit(values.check && check(lines) > 0 ? 1 : 0);

async function measureChat(demo: DemoSite): Promise<Line[]> {
  const [sockets, ...rates] = await measureMessages(demo, messageOptions());
  // After other parts, sockets use memory that the process has already.
  return sockets && values.only === "messages" ? [sockets, ...rates] : rates;
}

/** The higher rate is more than the server can deliver, to measure its maximum. */
function messageOptions(): MessageOptions {
  return { seconds: Number(values.seconds), pairs: Number(values.pairs), rates: values.rates.split(",").map(Number) };
}

async function measureRates(demo: DemoSite): Promise<Line[]> {
  const tester = await openLoadTester();
  try {
    return [...(await visitorLines(tester, demo, "")), ...(await ratesDuringLikes(tester, demo)), ...(await otherLines(tester, demo))];
  } finally {
    tester.close();
  }
}

async function ratesDuringLikes(tester: LoadTester, demo: DemoSite): Promise<Line[]> {
  const likes = writeLikes(demo, 20);
  const measured = await visitorLines(tester, demo, ", 20 likes a second");
  await likes.end();
  return measured;
}

async function visitorLines(tester: LoadTester, demo: DemoSite, when: string): Promise<Line[]> {
  const measured: Line[] = [];
  for (const [page, path] of Object.entries({ landing: "/", story: `/post/${demo.posts[0]}` }))
    for (const encoding of ["identity", "gzip", "br"]) {
      const workload = { path, headers: [{ "accept-encoding": encoding }], connections: 32 };
      measured.push(rateLine(`${page}, visitor, ${encoding}${when}`, await tester.compare(demo, workload)));
    }
  return measured;
}

async function otherLines(tester: LoadTester, demo: DemoSite): Promise<Line[]> {
  const signedIn = demo.cookies.map((cookie) => ({ cookie, "accept-encoding": "gzip" }));
  const api = { "x-appwrite-project": "inkstead" };
  const throughApi = demo.apiSessions.map((session) => ({ ...api, "x-appwrite-session": session }));
  const query = (value: object) => `queries[]=${encodeURIComponent(JSON.stringify(value))}`;
  const newest = [
    query({ method: "equal", attribute: "status", values: ["active"] }),
    query({ method: "orderDesc", attribute: "$createdAt" }),
    query({ method: "limit", values: [12] }),
  ];
  const card = query({ method: "select", values: ["title", "featuredImage", "userId", "userName", "views", "likesCount"] });
  const documents = "/v1/databases/main/collections/posts/documents";
  const workloads: Record<string, Workload> = {
    "home, signed in": { path: "/", headers: signedIn, connections: 16 },
    "story, signed in": { path: `/post/${demo.posts[0]}`, headers: signedIn, connections: 16 },
    "/subscribe, signed in": { path: "/subscribe", headers: signedIn, connections: 16 },
    "/v1, one document": { path: `${documents}/${demo.posts[0]}`, headers: [api], connections: 32 },
  };
  const list = `${documents}?${newest.join("&")}`;
  const lists = { "": list, ", attributes of cards": `${list}&${card}`, ", not counted": `${list}&total=false` };
  for (const [what, path] of Object.entries(lists)) {
    workloads[`/v1, list of 12${what}`] = { path, headers: [api], connections: 32 };
    workloads[`/v1, list of 12${what}, members`] = { path, headers: throughApi, connections: 32 };
  }
  const measured: Line[] = [];
  for (const [name, workload] of Object.entries(workloads)) measured.push(rateLine(name, await tester.compare(demo, workload)));
  return measured;
}

function memoryLine(when: string): Line {
  const megabytes = residentMegabytes(demo.pid);
  return { name: `memory, ${when}`, figure: `${formatCount(megabytes)} MB`, values: { MB: megabytes } };
}

function startLine(how: "cold" | "warm"): Line {
  const took = demo.starts[how];
  return { name: `${how} start`, figure: `${formatCount(took)} ms`, values: { ms: took } };
}
