import { afterEach, beforeEach, expect, test } from "vitest";
import { failure, type OpenApi, openApi } from "./api.ts";
import { collection, type StoredDocument, writePost } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
});
afterEach(() => api.close());

const published = ({ publishedAt }: StoredDocument) => publishedAt;

test("a story has the date of its first publication in any status; a draft that was never published has none", async () => {
  const { world } = api;
  const own = collection(await api.connect("appwrite 18.2.0", world.maren), "posts");
  await writePost(api, "draft", { status: "inactive" });
  const made = await own.get("draft");
  expect(published(made)).toBeNull();
  world.clock.advance(3_600_000);
  const first = await own.update("draft", { status: "active" });
  expect(published(first)).toBe(new Date(world.site.now()).toISOString().replace("Z", "+00:00"));
  expect(first.$createdAt).toBe(made.$createdAt);
  world.clock.advance(3_600_000);
  expect(published(await own.update("draft", { status: "inactive" }))).toBe(published(first));
  expect(published(await own.update("draft", { status: "active", title: "Again" }))).toBe(published(first));
  expect(await failure(() => own.update("draft", { publishedAt: new Date(0).toISOString() }))).toMatchObject({ code: 400 });
});

test("stories are sorted, filtered and paged by it", async () => {
  const { world } = api;
  const connection = await api.connect("appwrite 27.0.0", world.tobias);
  const { Query } = connection.sdk;
  const posts = collection(connection, "posts");
  for (const slug of ["a", "b", "c"]) {
    await writePost(api, slug, { status: slug === "a" ? "inactive" : "active" });
    world.clock.advance(1000);
  }
  const before = new Date(world.site.now()).toISOString();
  await collection(await api.connect("appwrite 18.2.0", world.maren), "posts").update("a", { status: "active" });
  const active = Query.equal("status", "active");
  const found = async (...queries: string[]) => (await posts.list(queries)).documents.map(({ $id }) => $id);
  expect(await found(active, Query.orderDesc("publishedAt"))).toEqual(["a", "c", "b"]);
  expect(await found(active, Query.orderAsc("publishedAt"))).toEqual(["b", "c", "a"]);
  expect(await found(active, Query.orderDesc("$createdAt"))).toEqual(["c", "b", "a"]);
  expect(await found(active, Query.orderDesc("publishedAt"), Query.cursorAfter("a"), Query.limit(1))).toEqual(["c"]);
  expect(await found(Query.greaterThanEqual("publishedAt", before))).toEqual(["a"]);
  expect(await found(Query.equal("userId", world.maren.id), active, Query.orderDesc("publishedAt"))).toEqual(["a", "c", "b"]);
  expect(await found(active, Query.isNull("publishedAt"))).toEqual([]);
});
