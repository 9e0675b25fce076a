import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/world.ts";
import type { Collection } from "./collection.ts";
import { collections } from "./collections.server.ts";
import { refuseLongScans } from "./cost.server.ts";
import type { DocumentQuery, Filter } from "./document.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const filter = (attribute: string, method = "equal") => ({ method, attribute, values: ["x"] }) as Filter;
const ask = (filters: Filter[], order?: string): DocumentQuery => ({
  filters,
  orders: order === undefined ? [] : [{ attribute: order, direction: "desc" }],
  limit: 25,
  offset: 0,
  counted: true,
});

describe("in a collection of many documents", () => {
  /** More rows than are looked at one by one, without writing them. */
  const many = async (): Promise<Collection> => {
    const { sql } = await import("kysely");
    const rows = sql`(with recursive r(n) as (select 1 union all select n + 1 from r where n < 50100) select n from r) posts`;
    return { ...collections.posts, source: rows };
  };

  test.each([
    ["everything, newest first", ask([], "$createdAt")],
    ["published ones by title", ask([filter("status")], "title")],
    ["one person's, whatever else is asked", ask([filter("userId"), filter("content", "contains")], "views")],
    ["what a search finds", ask([filter("title", "search")])],
    ["one of two people's", ask([{ method: "or", filters: [filter("userId"), filter("$id")] }])],
  ])("%s may be asked for", async (_what, query) => {
    await expect(refuseLongScans(world.site, await many(), query)).resolves.toBeUndefined();
  });

  test.each([
    ["a part of a text", ask([filter("content", "contains")])],
    ["what is not so", ask([filter("status", "notEqual")])],
    ["an order without an index", ask([], "bookmarksCount")],
    ["one of which one is slow", ask([{ method: "or", filters: [filter("userId"), filter("title", "contains")] }])],
  ])("%s is refused", async (_what, query) => {
    await expect(refuseLongScans(world.site, await many(), query)).rejects.toMatchObject({ code: "invalid" });
  });
});

test("in a small one everything may be asked for", async () => {
  await expect(refuseLongScans(world.site, collections.posts, ask([filter("content", "contains")], "views"))).resolves.toBeUndefined();
});
