import { type CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillSite } from "../../tests/support/fill-site.ts";
import { planOf, unboundedSteps, updateStatistics, watchQueries } from "../../tests/support/queries.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { adjustLikes } from "../moderation/posts/adjust-counts.server.ts";
import type { Viewer } from "../site.ts";
import type { Filter, Order } from "./document.ts";
import { listDocuments, readDocument } from "./documents.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await fillSite(world);
  await addFiles();
  await updateStatistics(world.site);
});
afterAll(() => world.close());

/** Pictures of the site's own forms, among them a few files of the API. */
async function addFiles(): Promise<void> {
  const row = { ownerId: world.maren.id, name: "", type: "image/png", size: 1, width: null, height: null, attachedAt: 1, pieces: 1 };
  const files = Array.from({ length: 2_000 }, (_, index) => ({
    ...{ ...row, id: `file-${index}`, createdAt: index, public: index % 40 === 0 },
    signature: index % 20 === 0 ? "0" : null,
  }));
  for (let at = 0; at < files.length; at += 500)
    await world.site.db
      .insertInto("files")
      .values(files.slice(at, at + 500))
      .execute();
}

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

/** The plans of a list's own queries. */
async function plansOfList(viewer: Viewer, name: "posts" | "files", filters: Filter[] = []): Promise<string[]> {
  const { site, queries } = watchQueries(world.site);
  const orders: Order[] = [{ attribute: "$createdAt", direction: "desc" }];
  await listDocuments(site, viewer, name, { filters, orders, limit: 25, offset: 0, counted: true });
  const lists = queries.filter((each) => each.sql.includes(`from ${name}`));
  expect(lists.length).toBeGreaterThan(0);
  return (await Promise.all(lists.map(planOfLarge))).flat();
}

const since: Filter = { method: "greaterThan", attribute: "$createdAt", values: ["2000-01-01"] };
const drafts: Filter = { method: "equal", attribute: "status", values: ["inactive"] };

test.each([
  ["all stories", []],
  ["stories since a date", [since]],
  ["drafts", [drafts]],
] as [string, Filter[]][])("members and administrators list %s by creation without a sort", async (_what, filters) => {
  for (const viewer of [world.tobias, world.ruth]) {
    const steps = unboundedSteps(await plansOfList(viewer, "posts", filters)).filter((step) => step !== "SCAN matching");
    expect([viewer.name, steps]).toEqual([viewer.name, []]);
  }
});

test("a member's list of drafts reads their own only", async () => {
  const plans = (await plansOfList(world.tobias, "posts", [drafts])).join("\n");
  expect(plans).toMatch(/posts_(own|author)/);
  expect(plans).not.toMatch(/posts_(created|by_creation|newest|sitemap)/);
});

test.each(["nobody", "tobias", "ruth"] as const)("the list of files reads no pictures of stories: %s", async (name) => {
  const plans = await plansOfList(name === "nobody" ? null : world[name], "files");
  // PostgreSQL sorts what an index has found, as it is little here.
  expect(unboundedSteps(plans).filter((step) => !/^SCAN matching$|\bSort\b/.test(step))).toEqual([]);
  const indexes = plans.flatMap((step) => step.match(/\bfiles_\w+/g) ?? []);
  expect(indexes).not.toEqual([]);
  expect(indexes.filter((index) => !/^files_(of_api|public|of_owner)$/.test(index))).toEqual([]);
});

test("a like that administrators added is found by its id without reading the others", async () => {
  await adjustLikes(world.site, world.ruth, "story-1", 3);
  const { userId: id } = await world.site.db.selectFrom("adjusted_likes").select("userId").limit(1).executeTakeFirstOrThrow();
  const { site, queries } = watchQueries(world.site);
  await readDocument(site, world.tobias, "likes", id);
  const plans = (await Promise.all(queries.filter((each) => each.sql.includes("adjusted_likes")).map(planOfLarge))).flat();
  expect(plans.join("\n")).toContain("adjusted_likes_id");
  // What the union has found.
  expect(unboundedSteps(plans).filter((step) => step !== "SCAN likes")).toEqual([]);
});
