import type { Hono } from "hono";
import type { Member, Site } from "#domain/site.ts";
import type { Web } from "#server/http.ts";
import { closeSite } from "#server/site.ts";
import { signIn } from "../../tests/support/members.ts";
import { openWeb } from "../../tests/support/web.ts";
import { median } from "../measure.ts";
import { openSiteOf } from "../sites.ts";
import { type Case, cases } from "./cases.ts";
import { readerId } from "./seed.ts";

export type BenchSite = { posts: number; dataDir: string; databaseUrl: string | undefined };
type BenchEngine = { site: Site; web: Hono<Web>; cookie: string; adminCookie: string };
type Options = { rounds: number; only: RegExp };

const warmUps = 6;

/** Milliseconds of a request: response time, and processor time of this process, which other load doesn't change. */
type Time = { wall: number; cpu: number };

/**
 * Requests every page from both sites in turn, fully rendered, and prints the medians.
 * @returns the worst ratio.
 */
export async function compare([small, big]: BenchSite[], { rounds, only }: Options): Promise<number> {
  const opened = await Promise.all([small, big].map((each) => open(each as BenchSite)));
  const ratios: number[] = [];
  const [fewer, more] = [small, big].map((each) => each?.posts.toLocaleString("en-US"));
  console.log(`\nMilliseconds of response time and of processor time per page; medians of ${rounds}, ${opened[0]?.site.engine}:\n`);
  console.log(`| page | ${fewer} | ${more} | ratio | ${fewer}, cpu | ${more}, cpu | ratio |\n| --- |${" ---: |".repeat(6)}`);
  for (const each of cases.filter(({ name }) => only.test(name))) {
    const [before, after] = (await time(each, opened, rounds)) as [Time, Time];
    const [wall, cpu] = [after.wall / before.wall, after.cpu / before.cpu];
    ratios.push(wall);
    const figures = [before.wall, after.wall, wall, before.cpu, after.cpu, cpu].map((figure) => figure.toFixed(2));
    console.log(`| ${each.name} | ${figures.join(" | ")} |${wall > 1.5 ? " !" : ""}`);
  }
  for (const { site } of opened) await closeSite(site);
  const worst = Math.max(...ratios);
  console.log(`\nThe worst ratio is ${worst.toFixed(2)}, the median ${median(ratios).toFixed(2)}.`);
  return worst;
}

async function open({ dataDir, databaseUrl }: BenchSite): Promise<BenchEngine> {
  const site = await openSiteOf({ DATA_DIR: dataDir, SITE_URL: "http://bench.invalid", DATABASE_URL: databaseUrl ?? "" });
  site.settings.publicStoryListing = true;
  const { cookie } = await signIn({ site }, { id: readerId } as Member);
  await site.db
    .insertInto("administrators")
    .values({ userId: administratorId, createdAt: site.now() })
    .onConflict((conflict) => conflict.column("userId").doNothing())
    .execute();
  const { cookie: adminCookie } = await signIn({ site }, { id: administratorId } as Member, { reauthenticated: true });
  return { site, web: openWeb({ site }), cookie, adminCookie };
}

const administratorId = "bench-member-1";

async function time({ path, visitor, admin }: Case, sites: BenchEngine[], rounds: number): Promise<Time[]> {
  const runs = await Promise.all(sites.map(async (each) => ({ ...each, path: await path(each.site), times: [] as Time[] })));
  for (let round = -warmUps; round < rounds; round++) {
    for (const { web, cookie: own, adminCookie, path: page, times } of runs) {
      const cookie = admin ? adminCookie : own;
      const [startedAt, usage] = [performance.now(), process.cpuUsage()];
      // The API caches responses by address.
      const url = page.startsWith("/v1/") ? `${page}&round=${round}` : page;
      const response = await web.request(url, { headers: visitor ? {} : { cookie } });
      const text = await response.text();
      const { user, system } = process.cpuUsage(usage);
      if (round >= 0) times.push({ wall: performance.now() - startedAt, cpu: (user + system) / 1000 });
      if (response.status !== 200 || !/<\/html>|^{"(posts|total)":|<\/rss>/.test(text))
        throw new Error(`${page} returned ${response.status}`);
    }
  }
  return runs.map(({ times }) => ({ wall: median(times.map(({ wall }) => wall)), cpu: median(times.map(({ cpu }) => cpu)) }));
}
