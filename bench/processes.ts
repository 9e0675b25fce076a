import { createPost } from "#domain/posts/posts.server.ts";
import { findPostgres } from "../tests/postgres/start.ts";
import { addMember, signIn } from "../tests/support/members.ts";
import { picture } from "../tests/support/pictures.ts";
import type { RunningServer } from "../tests/support/process.ts";
import { startTwoServers } from "../tests/support/two-servers.ts";
import { table } from "./measure.ts";
import { type LoadTester, openLoadTester, type Rate, type Server, type Workload } from "./table/rates.ts";
import { formatCount } from "./table/report.ts";

/**
 * `npm run bench -- processes`: pages per CPU-second of one process on PostgreSQL, and of two that serve the same site at the same time.
 * As each has its own CPU time, the sum is what they serve on a core each.
 */
await findPostgres();
const servers = await startTwoServers({ REQUEST_LIMIT_FACTOR: "1000000", NODE_OPTIONS: "--max-semi-space-size=8" });
const testers = await Promise.all([openLoadTester(), openLoadTester()]);
try {
  const both = [serverOf(servers.first), serverOf(servers.second)];
  const rows: string[][] = [];
  for (const [name, workload] of Object.entries(await addContent())) {
    const [one] = await measure(both.slice(0, 1), workload);
    const two = await measure(both, workload);
    const [alone, sum] = [one?.perCore ?? 0, two.reduce((total, { perCore }) => total + perCore, 0)];
    rows.push([name, formatCount(alone), two.map(({ perCore }) => formatCount(perCore)).join(" + "), (sum / alone).toFixed(2)]);
  }
  console.log(table(["per CPU-second", "one process", "two at the same time", "ratio"], rows));
} finally {
  for (const tester of testers) tester.close();
  await servers.close();
}

/** Stories as on a landing page, and pages of visitors and of twenty members. */
async function addContent(): Promise<Record<string, Workload>> {
  const { site } = servers;
  const author = await addMember({ site }, "Ada Author");
  const content = "A paragraph about **lamps**, written to be read.\n\n".repeat(30);
  const cover = await picture();
  for (let number = 0; number < 20; number++)
    await createPost(site, author, { title: `Lamp ${number}`, slug: `lamp-${number}`, content, status: "active" }, cover);
  const members = await Promise.all(Array.from({ length: 20 }, (_, number) => addMember({ site }, `Reader ${number}`)));
  const cookies = await Promise.all(members.map(async (member) => (await signIn({ site }, member)).cookie));
  const signedIn = cookies.map((cookie) => ({ cookie, "accept-encoding": "gzip" }));
  const visitor = [{ "accept-encoding": "gzip" }];
  return {
    "a story, visitors": { path: "/post/lamp-1", headers: visitor, connections: 32 },
    "home, members": { path: "/", headers: signedIn, connections: 16 },
    "a story, members": { path: "/post/lamp-1", headers: signedIn, connections: 16 },
  };
}

function measure(targets: Server[], workload: Workload): Promise<Rate[]> {
  return Promise.all(targets.map((server, index) => (testers[index] as LoadTester).compare(server, workload)));
}

function serverOf({ url, pid }: RunningServer): Server {
  return { port: Number(new URL(url).port), pid: pid() };
}
