import * as newest from "appwrite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { failure, ids, type OpenApi, openApi } from "./api.ts";
import { writePost } from "./collection.ts";

const { Query } = newest;

let api: OpenApi;
let tables: newest.TablesDB;
beforeEach(async () => {
  api = await openApi();
  const { client } = await api.connect("appwrite 27.0.0", api.world.maren);
  tables = new newest.TablesDB(client as unknown as newest.Client);
  for (const slug of ["apple", "banana", "cherry"]) {
    await writePost(api, slug, { title: `About ${slug}` });
    api.world.clock.advance(1000);
  }
});
afterEach(() => api.close());

const list = async (queries: string[], total = true) => tables.listRows({ databaseId: ids.database, tableId: "posts", queries, total });
const found = async (...queries: string[]) => (await list(queries)).rows.map((row) => row.$id);

test("50 tables mirror collections", async () => {
  const row = await tables.getRow({ databaseId: ids.database, tableId: "posts", rowId: "apple" });
  expect(row).toMatchObject({ $id: "apple", $tableId: "posts", title: "About apple" });
  expect("$collectionId" in row).toBe(false);
  const like = await tables.createRow({ databaseId: ids.database, tableId: "likes", rowId: "mine", data: { postId: "apple" } });
  expect(like).toMatchObject({ $id: "mine", userId: api.world.maren.id });
  expect(await tables.deleteRow({ databaseId: ids.database, tableId: "likes", rowId: "mine" })).toMatchObject({ message: "" });
  const missing = await failure(() => tables.getRow({ databaseId: ids.database, tableId: "posts", rowId: "missing" }));
  expect(missing).toMatchObject({ code: 404, type: "row_not_found" });
  const unknown = await failure(() => tables.listRows({ databaseId: ids.database, tableId: "unknown" }));
  expect(unknown).toMatchObject({ code: 404, type: "table_not_found" });
});

test("50 negations, custom dates, and lists without totals", async () => {
  expect(await found(Query.notStartsWith("title", "About a"))).toEqual(["banana", "cherry"]);
  expect(await found(Query.notEndsWith("title", "rry"))).toEqual(["apple", "banana"]);
  expect(await found(Query.notContains("title", "an"))).toEqual(["apple", "cherry"]);
  expect(await found(Query.notSearch("title", "cherry"))).toEqual(["apple", "banana"]);
  expect(await found(Query.notBetween("likesCount", 1, 5))).toEqual(["apple", "banana", "cherry"]);
  const second = new Date(api.world.site.now() - 2500).toISOString();
  expect(await found(Query.createdAfter(second))).toEqual(["banana", "cherry"]);
  expect(await found(Query.updatedBefore(second))).toEqual(["apple"]);
  expect(await found('{"method":"createdBefore","values":["2000-01-01T00:00:00Z"]}')).toEqual([]);
  expect(await list([], false)).toMatchObject({ total: 0, rows: [{}, {}, {}] });
});

test("12 ids in addresses may contain special characters", async () => {
  const error = await failure(() => tables.getRow({ databaseId: ids.database, tableId: "posts", rowId: "a b" }));
  expect(error).toMatchObject({ code: 400, type: "general_argument_invalid" });
});

test("36 the sequence is a string", async () => {
  const { rows } = await list([Query.limit(1)]);
  expect(typeof rows[0]?.$sequence).toBe("string");
});

test("responses to visitors are never outdated", async () => {
  const { databases } = await api.connect("appwrite 18.2.0");
  const likes = async () => (await databases.listDocuments(ids.database, "posts", [Query.equal("$id", "apple")])).documents[0]?.likesCount;
  expect(await likes()).toBe(0);
  await setLike(api.world.site, api.world.tobias, "apple", true);
  expect(await likes()).toBe(1);
  await setLike(api.world.site, api.world.tobias, "apple", false);
  expect(await likes()).toBe(0);
});
