import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveSettingsAsOperator } from "#domain/settings/settings.server.ts";
import type { Member, Site } from "#domain/site.ts";
import type { Engine } from "#platform/database/engine.ts";
import { closeSite } from "#server/site.ts";
import { sessionValue } from "#server/v1/caller.ts";
import { seedDemo } from "../../scripts/demo/seed.ts";
import { createDatabase } from "../../tests/postgres/databases.ts";
import { addMember, signIn } from "../../tests/support/members.ts";
import { freePort, isReady } from "../../tests/support/process.ts";
import { openSiteOf, secret } from "../sites.ts";

export type DemoSite = {
  port: number;
  pid: number;
  url: string;
  /** Start times in milliseconds: in an empty folder, and in the demo's. */
  starts: { cold: number; warm: number };
  /** Cookies of readers' sessions. */
  cookies: string[];
  /** The same sessions, for the API. */
  apiSessions: string[];
  /** Stories on the landing page. */
  posts: string[];
  site: Site;
  close(): Promise<void>;
};

const readers = 20;
const root = join(import.meta.dirname, "..", "..");

/** The sample community on a running server, and the same site opened in this process. */
export async function openDemoSite(engine: Engine): Promise<DemoSite> {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-bench-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const environment = {
    ...{ SMTP_URL: "", ADMIN_EMAILS: "", SECRET: secret, FILES_URL: "", HOST: "" },
    ...{ SITE_URL: url, PORT: String(port), REQUEST_LIMIT_FACTOR: "1000000", LOOP_LAG_LIMIT: "60000" },
  };
  const databases = engine === "postgres" ? [await createDatabase(), await createDatabase()] : [];
  const [forEmpty, forDemo] = [
    { ...environment, DATA_DIR: join(folder, "empty"), DATABASE_URL: databases[0]?.url ?? "" },
    { ...environment, DATA_DIR: join(folder, "demo"), DATABASE_URL: databases[1]?.url ?? "" },
  ];

  const empty = await startProcess(forEmpty, url, join(folder, "log"));
  await empty.stop();
  await seedDemo(forDemo);
  const demo = await startProcess(forDemo, url, join(folder, "log"));
  const site = await openSiteOf(forDemo);
  await saveSettingsAsOperator(site, { publicStoryListing: true });
  const members: Member[] = [];
  for (let index = 0; index < readers; index++) members.push(await addMember({ site }, `Reader ${index}`));
  const cookies = await Promise.all(members.map(async (member) => (await signIn({ site }, member)).cookie));
  const sessions = await site.db.selectFrom("sessions").select(["userId", "token"]).execute();
  const landing = await (await fetch(url)).text();
  const posts = [...new Set([...landing.matchAll(/href="\/post\/([^"?/]+)"/g)].map((match) => match[1] ?? ""))];
  return {
    port,
    pid: demo.pid,
    url,
    starts: { cold: empty.tookMs, warm: demo.tookMs },
    cookies,
    apiSessions: sessions.map(({ userId, token }) => sessionValue(site, userId, token)),
    posts,
    site,
    async close() {
      await closeSite(site);
      await demo.stop();
      for (const database of databases) await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startProcess(environment: Record<string, string>, url: string, log: string) {
  const output = openSync(log, "a");
  const env = { ...process.env, NODE_ENV: "production", MALLOC_ARENA_MAX: "2", ...environment };
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--max-semi-space-size=8", "--heap-growing-percent=70", "build/site/serve.js"], {
    cwd: root,
    env,
    stdio: ["ignore", output, output, "ipc"],
  });
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The site ended with code ${child.exitCode}; its log is ${log}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { pid: child.pid ?? 0, tookMs: performance.now() - startedAt, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null) await once(child, "exit");
}
