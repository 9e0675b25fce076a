import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { everySdk, failure, type OpenApi, openApi, type SdkName, sdks } from "./api.ts";
import { collection, writePost } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
  // Visitors list all stories here.
  Object.assign(api.world.site.settings, { publicStoryListing: true });
});
afterEach(() => api.close());

const write = (slug: string, chosen = {}) => writePost(api, slug, chosen);

/** Stories that differ in their numbers only. */
async function writeMany(count: number) {
  const { id } = await fileOf(api);
  const { site, maren } = api.world;
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `s-${String(index).padStart(3, "0")}`,
    userId: maren.id,
    userName: maren.name,
    title: `Title ${index % 7}`,
    content: `<p>Text ${index}</p>`,
    markdown: "",
    summary: "",
    plainText: "",
    words: 1,
    featuredImage: id,
    status: index % 5 === 4 ? ("inactive" as const) : ("active" as const),
    featured: index % 2 === 0,
    pinned: false,
    views: index,
    likesCount: 0,
    bookmarksCount: 0,
    publishedAt: site.now() + Math.floor(index / 3),
    createdAt: site.now() + Math.floor(index / 3),
    updatedAt: site.now(),
  }));
  await site.db.insertInto("posts").values(rows).execute();
}

async function fileOf({ world: { site, maren } }: OpenApi) {
  const row = {
    id: "a-file",
    ownerId: maren.id,
    name: "a.jpg",
    type: "image/jpeg",
    size: 1,
    width: 1,
    height: 1,
    createdAt: 1,
    attachedAt: 1,
  };
  await site.db
    .insertInto("files")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return row;
}

describe.each(everySdk)("queries with %s", (name: SdkName) => {
  const as = async (who: "maren" | undefined) => collection(await api.connect(name, who && api.world[who]), "posts");

  test("45 a list has 25 entries, and its total counts readable ones", async () => {
    await writeMany(40);
    const visitor = await (await as(undefined)).list();
    expect([visitor.documents.length, visitor.total]).toEqual([25, 32]);
    const { Query } = (await api.connect(name)).sdk;
    const some = await (await as("maren")).list([Query.limit(3), Query.offset(2)]);
    expect([some.documents.map((each) => each.$id), some.total]).toEqual([["s-002", "s-003", "s-004"], 40]);
  });

  test("46 every filter works", async () => {
    await writeMany(12);
    const { Query } = (await api.connect(name)).sdk;
    const posts = await as("maren");
    const found = async (...queries: string[]) => (await posts.list(queries)).documents.map((each) => Number(each.views));
    expect(await found(Query.equal("views", 3))).toEqual([3]);
    expect(await found(Query.equal("views", [3, 5]))).toEqual([3, 5]);
    expect(await found(Query.notEqual("status", "active"))).toEqual([4, 9]);
    expect(await found(Query.lessThan("views", 2))).toEqual([0, 1]);
    expect(await found(Query.lessThanEqual("views", 2))).toEqual([0, 1, 2]);
    expect(await found(Query.greaterThan("views", 9))).toEqual([10, 11]);
    expect(await found(Query.greaterThanEqual("views", 9.5))).toEqual([10, 11]);
    expect(await found(Query.between("views", 3, 5))).toEqual([3, 4, 5]);
    expect(await found(Query.isNull("featuredImage"))).toEqual([]);
    expect(await found(Query.isNotNull("featuredImage"), Query.lessThan("views", 1))).toEqual([0]);
    expect(await found(Query.startsWith("title", "Title 6"))).toEqual([6]);
    expect(await found(Query.endsWith("title", " 6"))).toEqual([6]);
    expect(await found(Query.contains("title", ["le 6", "le 5"]))).toEqual([5, 6]);
    expect(await found(Query.equal("featured", false), Query.lessThan("views", 4))).toEqual([1, 3]);
    expect(
      await found(Query.or([Query.equal("views", 1), Query.and([Query.greaterThan("views", 7), Query.lessThan("views", 9)])])),
    ).toEqual([1, 8]);
    expect(await found(Query.equal("$id", "s-007"))).toEqual([7]);
    expect(await found(Query.greaterThan("$createdAt", new Date(api.world.site.now() + 2).toISOString()))).toEqual([9, 10, 11]);
    await write("night", { title: "The last night bus", content: "Nobody sleeps." });
    const slugs = async (...queries: string[]) => (await posts.list(queries)).documents.map((each) => each.$id);
    expect(await slugs(Query.search("title", "NIGHT bus"))).toEqual(["night"]);
    expect(await slugs(Query.search("content", "sleeps"))).toEqual(["night"]);
    expect(await slugs(Query.search("title", "sleeps"))).toEqual([]);
    expect(await slugs(Query.search("title", "bus"), ...["nobody", "sleeps"].map((word) => Query.search("content", word)))).toEqual([
      "night",
    ]);
  });

  test("47 pages have no gaps or overlaps", async () => {
    await writeMany(23);
    const { Query } = (await api.connect(name)).sdk;
    const posts = await as("maren");
    const orders = [
      [],
      [Query.orderDesc("$createdAt")],
      [Query.orderAsc("title"), Query.orderDesc("views")],
      [Query.orderDesc("title")],
      [Query.orderDesc("$id")],
    ];
    for (const order of orders) {
      const whole = (await posts.list([...order, Query.limit(100)])).documents.map((each) => each.$id);
      expect(new Set(whole).size).toBe(23);
      const paged: string[] = [];
      for (let after: string | undefined; ; after = paged.at(-1)) {
        const page = (await posts.list([...order, Query.limit(5), ...(after ? [Query.cursorAfter(after)] : [])])).documents;
        if (page.length === 0) break;
        paged.push(...page.map((each) => each.$id));
      }
      expect(paged).toEqual(whole);
      const before = (await posts.list([...order, Query.limit(5), Query.cursorBefore(whole[12] ?? "")])).documents;
      expect(before.map((each) => each.$id)).toEqual(whole.slice(7, 12));
    }
    expect(await failure(() => posts.list([Query.cursorAfter("missing")]))).toMatchObject({ code: 400, type: "general_cursor_not_found" });
    const visitor = await as(undefined);
    expect(await failure(() => visitor.list([Query.cursorAfter("s-004")]))).toMatchObject({ code: 400, type: "general_cursor_not_found" });
  });

  test("48 select returns the requested attributes", async () => {
    await write("a");
    const { Query } = (await api.connect(name)).sdk;
    const posts = await as(undefined);
    const system = ["$collectionId", "$createdAt", "$databaseId", "$id", "$permissions", "$sequence", "$updatedAt"];
    expect(Object.keys((await posts.list([Query.select(["title"])])).documents[0] ?? {}).sort()).toEqual([...system, "title"]);
    expect(Object.keys(await posts.get("a", [Query.select(["title"])])).sort()).toEqual([...system, "title"]);
    expect(await failure(() => posts.list([Query.select(["unknown"])]))).toMatchObject({ code: 400, type: "general_query_invalid" });
  });

  test("49 unsupported queries are 400", async () => {
    const { Query } = (await api.connect(name)).sdk;
    const posts = await as(undefined);
    const bad = [
      Query.limit(0),
      '{"method":"frobnicate","values":[1]}',
      Query.equal("unknown", 1),
      Query.equal("title", []),
      Query.equal("views", "many"),
      Query.search("status", "active"),
      Query.or([Query.equal("views", 1)]),
      "{",
      '{"method":"equal","attribute":"title","values":[{"a":1}]}',
    ];
    for (const query of bad) expect(await failure(() => posts.list([query]))).toMatchObject({ code: 400, type: "general_query_invalid" });
    const limit = await failure(() => posts.list([Query.limit(0)]));
    expect(limit.message).toBe("Invalid query: Invalid limit: Value must be a valid range between 1 and 9,223,372,036,854,775,807");
    for (const repeated of [
      [Query.limit(1), Query.limit(0)],
      [Query.offset(1), Query.offset(-1)],
    ])
      expect(await failure(() => posts.list(repeated))).toMatchObject({ code: 400, type: "general_query_invalid" });
    const many = Array.from({ length: 101 }, () => Query.equal("views", 1));
    expect(await failure(() => posts.list(many))).toMatchObject({ code: 400, type: "general_argument_invalid" });
  });
});

test("cached lists for everyone never contain restricted records", async () => {
  const { Query } = sdks["appwrite 18.2.0"];
  const { maren, ruth, tobias } = api.world;
  await write("published");
  await write("secret", { status: "inactive" });
  const clients = await Promise.all(
    [ruth, maren, tobias, undefined].map(async (who) => collection(await api.connect("appwrite 18.2.0", who), "posts")),
  );
  const lists: [queries: string[], seen: number[]][] = [
    [[], [2, 2, 1, 1]],
    [[Query.equal("status", "active")], [1, 1, 1, 1]],
    [[Query.equal("status", ["active", "inactive"])], [2, 2, 1, 1]],
    [[Query.or([Query.equal("status", "active"), Query.equal("featured", false)])], [2, 2, 1, 1]],
    [
      [Query.equal("status", "active"), Query.cursorAfter("secret"), Query.orderDesc("$createdAt")],
      [1, 1, -1, -1],
    ],
  ];
  for (let round = 0; round < 2; round++)
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
    ])
      for (const [queries, seen] of lists)
        for (const client of order) {
          const found = await clients[client]?.list(queries).then(
            ({ documents }) => documents.length,
            () => -1,
          );
          expect([queries, client, found]).toEqual([queries, client, seen[client]]);
        }
  const totals = () => Promise.all(clients.map(async (client) => (await client.list([Query.equal("status", "active")])).total));
  await write("another");
  expect(await totals()).toEqual([2, 2, 2, 2]);
});
