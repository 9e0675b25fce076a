import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { everySdk, failure, ids, type OpenApi, openApi, stubBrowser } from "./api.ts";
import { collection } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  stubBrowser();
  api = await openApi();
  // Visitors list all stories here.
  Object.assign(api.world.site.settings, { publicStoryListing: true });
});
afterEach(() => api.close());

const query = (method: string, attribute: string, values: unknown[]) => JSON.stringify({ method, attribute, values });
const isNullId = { method: "isNull", attribute: "$id" };
const either = (values: object[]) => JSON.stringify({ method: "or", values });
const many = (count: number) => Array.from({ length: count }, (_each, number) => `${number}~`);

/** Stories with that much text each. */
async function write(count: number, length: number) {
  const { site, maren } = api.world;
  const rest = { markdown: "", summary: "", plainText: "", words: 1, featuredImage: null, featured: false, pinned: false };
  for (let number = 0; number < count; number++)
    await site.db
      .insertInto("posts")
      .values({
        ...{ ...rest, id: `s-${number}`, userId: maren.id, userName: maren.name, title: `Story ${number}`, content: "x".repeat(length) },
        ...{
          status: "active",
          views: 0,
          likesCount: 0,
          bookmarksCount: 0,
          publishedAt: site.now() + number,
          createdAt: site.now() + number,
          updatedAt: 1,
        },
      })
      .execute();
}

async function ask(queries: string[], at = "databases/main/collections/posts/documents") {
  const address = new URLSearchParams(queries.map((each, index) => [`queries[${index}]`, each]));
  const response = await fetch(`${api.endpoint}/${at}?${address}`, { headers: { "x-appwrite-project": ids.project } });
  return { status: response.status, body: await response.json() };
}

describe("expensive lists are refused", () => {
  test.each([
    ["parts of texts", many(4).map(() => query("notContains", "content", many(120)))],
    ["a few parts of texts", [query("contains", "content", ["a"])]],
    ["parts of texts beside an index", [query("equal", "status", ["active"]), query("notContains", "content", ["a"])]],
    [
      "parts of texts deep inside",
      [JSON.stringify({ method: "or", values: [1, 2].map(() => ({ method: "contains", attribute: "content", values: ["a"] })) })],
    ],
    ["long parts of texts", [query("startsWith", "title", ["x".repeat(200)])]],
    ["many values", [query("equal", "userId", many(101))]],
    ["many values in all", many(6).map(() => query("equal", "userId", many(90)))],
    ["many conditions", many(2).map(() => either(many(55).map(() => isNullId)))],
    ["many searches", many(4).map((word) => query("search", "content", [word]))],
    ["many searches inside", [either(many(4).map((word) => ({ method: "search", attribute: "content", values: [word] })))]],
    ["many orders", many(6).map(() => JSON.stringify({ method: "orderAsc", attribute: "title" }))],
    ["an order without an index", [JSON.stringify({ method: "orderAsc", attribute: "bookmarksCount" })]],
    ["far pages", [JSON.stringify({ method: "offset", values: [5_001] })]],
    ["deep conditions", [JSON.stringify(many(7).reduce<object>((inner) => ({ method: "and", values: [inner, isNullId] }), isNullId))]],
  ])("for %s", async (_what, queries) => {
    for (const at of [undefined, "tablesdb/main/tables/posts/rows"]) expect((await ask(queries, at)).status).toBe(400);
  });

  test("for an address of many kilobytes", async () => {
    const response = await fetch(
      `${api.endpoint}/databases/main/collections/posts/documents?x=${"x".repeat(15_000)}&queries[0]=${"y".repeat(900)}`,
      {
        headers: { "x-appwrite-project": ids.project },
      },
    );
    expect([400, 414, 431]).toContain(response.status);
  });

  test("for files by a part of their name, for visitors", async () => {
    expect((await ask([query("contains", "name", ["a"])], "storage/buckets/files/files")).status).toBe(400);
  });
});

test.each(everySdk)("%s gets the lists that the specification's product requests", async (name) => {
  await write(3, 100);
  const connection = await api.connect(name);
  const { Query } = connection.sdk;
  const posts = collection(connection, "posts");
  const lists = [
    [Query.equal("status", "active"), Query.orderDesc("$createdAt"), Query.limit(12), Query.offset(0)],
    [Query.equal("status", ["active"]), Query.orderAsc("title"), Query.limit(50)],
    [Query.equal("status", "active"), Query.orderDesc("views"), Query.limit(100)],
    [Query.equal("featured", true), Query.equal("status", "active"), Query.limit(6)],
    [Query.equal("userId", api.world.maren.id), Query.equal("status", "active"), Query.orderDesc("$createdAt")],
    [Query.search("title", "story"), Query.limit(20)],
    [Query.limit(1000)],
  ];
  const found = await Promise.all(lists.map((queries) => posts.list(queries)));
  expect(found.map(({ documents }) => documents.length)).toEqual([3, 3, 3, 0, 3, 0, 3]);
  const likes = collection(connection, "likes");
  expect((await likes.list([Query.equal("postId", "s-1"), Query.limit(1000)])).total).toBe(0);
  const profiles = collection(connection, "profiles");
  expect((await profiles.list([Query.limit(502)])).total).toBe(4);
  expect((await profiles.list([Query.equal("userId", [api.world.maren.id, api.world.ruth.id])])).total).toBe(2);
});

test("a response holds five megabytes of text, and the next page continues", async () => {
  await write(12, 700_000);
  const connection = await api.connect("appwrite 18.2.0");
  const { Query } = connection.sdk;
  const posts = collection(connection, "posts");
  const seen: string[] = [];
  for (const limit of [20, 1000]) {
    seen.length = 0;
    for (let after: string[] = []; ; ) {
      const { documents, total } = await posts.list([Query.orderDesc("$createdAt"), Query.limit(limit), ...after]);
      expect([total, documents.length <= 7]).toEqual([12, true]);
      if (documents.length === 0) break;
      seen.push(...documents.map(({ $id }) => $id));
      after = [Query.cursorAfter(seen.at(-1) ?? "")];
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_each, number) => `s-${11 - number}`));
  }
  const titles = await posts.list([Query.select(["title"]), Query.limit(1000)]);
  expect(titles.documents).toHaveLength(12);
  expect((await failure(() => posts.list([Query.contains("content", "y")]))).type).toBe("general_query_invalid");
});
