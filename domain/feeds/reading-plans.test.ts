import { afterAll, beforeAll, expect, test } from "vitest";
import { quickSearch } from "#domain/search/quick-search.server.ts";
import { writeCursor } from "#platform/database/keyset.ts";
import { fullScans, plansOf, sortSteps } from "../../tests/support/query-plans.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { listOwnPosts, readPost } from "../posts/post-reads.server.ts";
import { listReports } from "../reports/report-reads.server.ts";
import type { Site } from "../site.ts";
import { siteFeed } from "./feeds.server.ts";
import { sitemapIndex, sitemapOfPosts } from "./sitemap.server.ts";

// The cost of pages and feeds must not grow with the number of stories.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const nothing = () => {};

/** `sorted`: the index has the order, so nothing is sorted. */
const reads: { of: string; read: (site: Site) => Promise<unknown>; sorted: boolean }[] = [
  { of: "the reading page", read: (site) => readPost(site, world.tobias, "a").catch(nothing), sorted: true },
  { of: "which stories a feed has", read: (site) => siteFeed(site), sorted: true },
  { of: "one's own stories", read: (site) => listOwnPosts(site, world.tobias, { limit: 9, after: writeCursor([9, 9]) }), sorted: true },
  { of: "the sitemap", read: (site) => sitemapIndex(site), sorted: true },
  { of: "a page of the sitemap", read: (site) => sitemapOfPosts(site, 3).catch(nothing), sorted: true },
  { of: "reports", read: (site) => listReports(site, world.ruth, { status: "all", limit: 20, after: writeCursor([1, 99]) }), sorted: true },
  { of: "reports of a status", read: (site) => listReports(site, world.ruth, { status: "pending", limit: 20 }), sorted: true },
  // The few hundred candidates are ranked.
  { of: "a quick search", read: (site) => quickSearch(site, "night bus"), sorted: false },
];

test.each(reads)("$of uses indexes", async ({ read, sorted }) => {
  const plans = await plansOf(world.site, read);
  expect(plans).not.toEqual([]);
  expect(fullScans(plans), plans.join("\n")).toEqual([]);
  if (sorted) expect(sortSteps(plans), plans.join("\n")).toEqual([]);
});
