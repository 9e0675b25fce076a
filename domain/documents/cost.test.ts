import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { isRefusal } from "#domain/refusals.ts";
import { planOf, watchQueries } from "../../tests/support/queries.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { collectionNames, type ListName } from "../changes.ts";
import type { Viewer } from "../site.ts";
import type { Collection } from "./collection.server.ts";
import { collectionFor, collections } from "./collections.server.ts";
import { costOf, maxScannedBytes, maxScannedRows } from "./cost.server.ts";
import { type DocumentQuery, type Filter, filterMethods, type Value } from "./document.ts";
import { listDocuments } from "./documents.server.ts";

let world: World;
const bytesOfText = 2_000;
const posts = 300;
beforeAll(async () => {
  world = await openWorld();
  const { site, maren } = world;
  const rest = { markdown: "", summary: "", plainText: "", words: 1, featuredImage: null, pinned: false, likesCount: 0, bookmarksCount: 0 };
  const rows = Array.from({ length: posts }, (_each, number) => ({
    ...{
      ...rest,
      id: `s-${number}`,
      userId: maren.id,
      userName: maren.name,
      title: `Story ${number}`,
      views: number,
      featured: number < 5,
    },
    ...{ content: "x".repeat(bytesOfText), searchText: `rain ${"x".repeat(bytesOfText)}`, status: number % 9 ? "active" : "inactive" },
    ...{ createdAt: 1_000 + number, publishedAt: 1_000 + number, updatedAt: 1 },
  }));
  for (let from = 0; from < posts; from += 50)
    await site.db
      .insertInto("posts")
      .values(rows.slice(from, from + 50) as never)
      .execute();
});
afterAll(() => world.close());

const filter = (attribute: string, method = "equal", ...values: Value[]) =>
  ({ method, attribute, values: values.length > 0 ? values : ["x"] }) as Filter;
const ask = (filters: Filter[], order?: string): DocumentQuery => ({
  filters,
  orders: order === undefined ? [] : [{ attribute: order, direction: "desc" }],
  limit: 25,
  offset: 0,
  counted: true,
});
const many = (count: number) => Array.from({ length: count }, (_each, number) => `${number}~`);
const active = filter("status", "equal", "active");

/** Simulates more stories than may be scanned; each author has a third. */
function large(): Collection {
  const source = sql`(with recursive r(n) as (select 1 union all select n + 1 from r where n < ${maxScannedRows * 4})
    select n as number, 'active' as status, 'author ' || (n % 3) as "userId", 'title' as title, 'a text' as content, false as featured,
    cast(n as text) as id, n as views, n as "createdAt", n as "publishedAt" from r) posts`;
  return { ...collections.posts, source };
}

describe("in a collection of many documents", () => {
  test.each([
    ["everything, newest first", ask([], "$createdAt")],
    ["published ones by title", ask([active], "title")],
    ["published ones by the date of publication", ask([active], "publishedAt")],
    ["one person's published ones, the same", ask([filter("userId", "equal", "author 1"), active], "publishedAt")],
    ["those from one title on, in their order", ask([active, filter("title", "greaterThan")], "title")],
    ["one person's, newest first", ask([filter("userId", "equal", "author 1"), active], "$createdAt")],
    ["one by its id, with any other condition", ask([filter("$id", "equal", "7"), filter("content", "contains")], "bookmarksCount")],
    ["the featured ones, in any order", ask([active, filter("featured", "equal", true)], "title")],
    ["one of two", ask([{ method: "or", filters: [filter("$id"), filter("$id", "equal", "9")] }])],
  ])("%s is allowed", async (_what, query) => {
    for (const viewer of [null, world.ruth]) await expect(costOf(world.site, viewer, large(), query)).resolves.toBeDefined();
  });

  test.each([
    ["a part of a text", ask([filter("content", "contains")])],
    ["a part of a text among one author's many stories", ask([filter("userId", "equal", "author 1"), filter("content", "contains")])],
    ["a negated condition", ask([filter("status", "notEqual")])],
    ["an order without an index", ask([], "views")],
    ["an order without an index among one author's many stories", ask([filter("userId", "equal", "author 1")], "title")],
    [
      "one order within another",
      { ...ask([active], "title"), orders: ["status", "title"].map((attribute) => ({ attribute, direction: "asc" })) },
    ],
    ["a range of dates in another order", ask([active, filter("$createdAt", "greaterThan", "2000-01-01")], "title")],
    ["an or with a slow part", ask([{ method: "or", filters: [filter("$id"), filter("title", "contains")] }])],
  ])("%s is refused", async (_what, query) => {
    for (const viewer of [null, world.ruth])
      await expect(costOf(world.site, viewer, large(), query as DocumentQuery)).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("in a small collection", () => {
  test("members may query everything, visitors what indexes find", async () => {
    const { site, maren } = world;
    for (const query of [
      ask([filter("content", "contains")], "views"),
      ask([filter("views", "notEqual", 3)]),
      ask([filter("title", "notSearch")]),
    ]) {
      await expect(costOf(site, maren, collections.posts, query)).resolves.toMatchObject({ isIndexed: false });
      await expect(costOf(site, null, collections.posts, query)).rejects.toMatchObject({ code: "invalid" });
    }
    for (const query of [ask([filter("featured", "equal", false), active], "title"), ask([filter("content", "search", "rain")])])
      await expect(costOf(site, null, collections.posts, query)).resolves.toMatchObject({ isIndexed: false });
  });

  test("the number of text scans is limited", async () => {
    const { site, maren } = world;
    const own = filter("userId", "equal", maren.id);
    // 300 stories of 2,000 bytes, counted and listed.
    await expect(costOf(site, null, collections.posts, ask([own, filter("content", "contains", "a", "b", "c")]))).resolves.toBeDefined();
    await expect(costOf(site, null, collections.posts, ask([own, filter("content", "contains", ...many(8))]))).rejects.toThrow("content");
    const four = Array.from({ length: 4 }, () => filter("content", "notContains", ...many(5)));
    await expect(costOf(site, maren, collections.posts, ask(four))).rejects.toThrow("content");
    await expect(costOf(site, maren, collections.posts, ask(four.slice(0, 2)))).resolves.toBeDefined();
  });
});

const attributes = [
  "$id",
  "$sequence",
  "$createdAt",
  "$updatedAt",
  "title",
  "content",
  "status",
  "userId",
  "userName",
  "featured",
  "views",
  "publishedAt",
];
const valuesFor = (attribute: string): fc.Arbitrary<Value> => {
  if (attribute === "featured") return fc.boolean();
  if (attribute === "views" || attribute === "$sequence") return fc.integer({ min: 0, max: 400 });
  if (attribute.endsWith("At")) return fc.constantFrom("1970-01-01T00:00:01.100Z", "2030-01-01");
  return fc.constantFrom("active", "s-7", "x", "xxxxy", "Story", "rain", "the", "~");
};
const comparison = fc.tuple(fc.constantFrom(...attributes), fc.constantFrom(...filterMethods)).chain(([attribute, method]) => {
  const [minLength, maxLength] = /contains|^equal/i.test(method) ? [1, 20] : /between/i.test(method) ? [2, 2] : [1, 1];
  const values = /null/i.test(method) ? fc.constant([]) : fc.array(valuesFor(attribute), { minLength, maxLength });
  return values.map((found) => ({ method, attribute, values: found }) as Filter);
});
const anyFilter = fc.oneof(
  { weight: 3, arbitrary: comparison },
  fc
    .tuple(fc.constantFrom("and" as const, "or" as const), fc.array(comparison, { minLength: 2, maxLength: 4 }))
    .map(([method, filters]): Filter => ({ method, filters })),
);
const order = fc.record({ attribute: fc.constantFrom("", ...attributes), direction: fc.constantFrom("asc" as const, "desc" as const) });
const anyQuery: fc.Arbitrary<DocumentQuery> = fc.record({
  filters: fc.array(anyFilter, { maxLength: 4 }),
  orders: fc.array(order, { maxLength: 2 }),
  limit: fc.constantFrom(1, 25, 1000),
  offset: fc.constantFrom(0, 0, 50),
  counted: fc.boolean(),
});
const requestsOfAVisitor = [500, 1_000, 1_900].map((count) =>
  ask(Array.from({ length: 4 }, () => filter("content", "notContains", ...many(count / 4)))),
);

describe("for any query", () => {
  /** The bytes scanned by statements, counted in the search functions. */
  function counter() {
    const handle = new DatabaseSync(join(world.dataDir, "inkstead.db"), { readOnly: true });
    let bytes = 0;
    const count =
      <Result>(work: (text: string, ...rest: (string | number)[]) => Result) =>
      (text: unknown, ...rest: unknown[]) => {
        bytes += String(text ?? "").length;
        return text === null ? null : work(String(text), ...(rest as (string | number)[]));
      };
    handle.function("instr", { deterministic: true }, count((text, part) => text.indexOf(String(part)) + 1) as never);
    const part = (text: string, from: string | number, length: string | number) =>
      text.slice(Number(from) - 1, Number(from) - 1 + Number(length));
    handle.function("substr", { deterministic: true }, ((a: string, b: number, c: number) => count(part)(a, b, c)) as never);
    return {
      run(statement: string, parameters: readonly unknown[]) {
        bytes = 0;
        handle.prepare(statement).all(...(parameters as string[]));
        return bytes;
      },
      close: () => handle.close(),
    };
  }

  const onSqlite = inject("engine") === "sqlite";
  if (onSqlite)
    test("no list scans more text than allowed, and served ones need no sorting", async () => {
      const { site, queries } = watchQueries(world.site);
      const counting = counter();
      const answer = async (viewer: Viewer, query: DocumentQuery, name: ListName = "posts") => {
        queries.length = 0;
        const cost = await listDocuments(site, viewer, name, query)
          .then(() => costOf(world.site, viewer, collectionFor(name, viewer, query), query))
          .catch((error: unknown) => {
            if (!isRefusal(error)) throw error;
          });
        if (!cost) return;
        // Staff's lists of drafts are also recorded in the audit log.
        const ran = queries.filter((each) => /^\s*select/.test(each.sql));
        const scanned = ran.reduce((sum, each) => sum + counting.run(each.sql, each.parameters), 0);
        expect(scanned).toBeLessThanOrEqual(maxScannedBytes[viewer ? "member" : "visitor"]);
        if (!cost.isIndexed) return;
        const sorts = (await Promise.all(ran.map((each) => planOf(world.site, each))))
          .flat()
          .filter((step) => step.includes("TEMP B-TREE FOR ORDER"));
        expect([name, query, sorts]).toEqual([name, query, []]);
      };
      for (const query of requestsOfAVisitor) for (const viewer of [null, world.maren]) await answer(viewer, query);
      await fc.assert(
        fc.asyncProperty(anyQuery, fc.constantFrom(null, world.tobias, world.ruth), async (query, viewer) => answer(viewer, query)),
        { numRuns: 400 },
      );
      const lists: ListName[] = ["profiles", "likes", "files"];
      for (const name of lists)
        for (const query of [ask([]), ask([], "$createdAt"), ask([filter("$createdAt", "greaterThan", "2000-01-01")], "$createdAt")])
          await answer(null, { ...query, limit: 1000 }, name);
      for (const attribute of ["postId", "userId"]) await answer(null, ask([filter(attribute)], "$createdAt"), "likes");
      counting.close();
    });

  test("every collection answers or refuses", async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.constantFrom(...collectionNames), fc.boolean(), async (query, name, isVisitor) => {
        const listing = listDocuments(world.site, isVisitor ? null : world.maren, name, query);
        await listing.catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
        });
      }),
      { numRuns: 150 },
    );
  });
});
