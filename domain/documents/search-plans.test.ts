import { type CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillSite } from "../../tests/support/fill-site.ts";
import { planOf, unboundedSteps, updateStatistics, watchQueries } from "../../tests/support/queries.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import type { Filter, Order } from "./document.ts";
import { listDocuments } from "./documents.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await fillSite(world);
  await updateStatistics(world.site);
});
afterAll(() => world.close());

/** PostgreSQL prefers sequential scans of a test's short stories, so plans are made as for large tables. */
async function planOfLarge(query: CompiledQuery): Promise<string[]> {
  const { site } = world;
  if (site.engine === "sqlite") return planOf(site, query);
  return site.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db);
    return planOf({ ...site, db }, query);
  });
}

const search = (attribute: string, text: string): Filter => ({ method: "search", attribute, values: [text] });
const active: Filter = { method: "equal", attribute: "status", values: ["active"] };
const orders: Record<string, Order[]> = { none: [], "by title": [{ attribute: "title", direction: "asc" }] };

const searches = [
  ["a word of every story", [search("content", "everywhere")]],
  ["a word of every story, among the published", [search("content", "everywhere"), active]],
  ["a word of every title", [search("title", "story")]],
  ["a rare word", [search("content", "somewhere"), active]],
  ["a phrase", [search("content", '"everywhere else"')]],
] as const satisfies [string, Filter[]][];

test.each(searches)("a search for %s reads a thousand stories at most, each by its number", async (_what, filters) => {
  const { site, queries } = watchQueries(world.site);
  for (const order of Object.values(orders)) {
    const query = { filters: [...filters], orders: order, limit: 12, offset: 0, counted: true };
    const { total } = await listDocuments(site, world.tobias, "posts", query);
    expect(total).toBeLessThanOrEqual(1000);
  }
  const lists = queries.filter((each) => /^\s*select (?!set_config)/.test(each.sql));
  const plans = await Promise.all(lists.map(async (each) => ({ query: each.sql, steps: await planOfLarge(each) })));
  expect(plans.length).toBeGreaterThan(3);
  // Sorts of matches, and subqueries with a limit.
  const growing = plans.flatMap(({ query, steps }) => unboundedSteps(steps).map((step) => ({ step, query })));
  expect(growing.filter(({ step }) => !/TEMP B-TREE|\bSort\b|^SCAN (some_rows|matching)$/.test(step))).toEqual([]);
});

const since: Filter = { method: "greaterThan", attribute: "$createdAt", values: ["2000-01-01"] };
const drafts: Filter = { method: "equal", attribute: "status", values: ["inactive"] };

test.each([
  ["all stories", []],
  ["stories since a date", [since]],
  ["drafts", [drafts]],
] as [string, Filter[]][])("members and administrators list %s by creation without a sort", async (_what, filters) => {
  for (const viewer of [world.tobias, world.ruth]) {
    const { site, queries } = watchQueries(world.site);
    const orders: Order[] = [{ attribute: "$createdAt", direction: "desc" }];
    await listDocuments(site, viewer, "posts", { filters, orders, limit: 25, offset: 0, counted: false });
    const lists = queries.filter((each) => each.sql.includes("from posts"));
    const plans = await Promise.all(lists.map(planOfLarge));
    expect(plans.length).toBeGreaterThan(0);
    expect([viewer.name, plans.flatMap(unboundedSteps)]).toEqual([viewer.name, []]);
  }
});
