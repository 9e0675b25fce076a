import { afterEach, beforeEach, expect, test } from "vitest";
import { loadDocumentsUnchecked, mayReceive } from "#domain/documents/live-documents.server.ts";
import { authorFeed } from "#domain/feeds/feeds.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import type { Member } from "#domain/site.ts";
import { failure, type OpenApi, openApi, stubBrowser } from "./api.ts";
import { collection, writePost } from "./collection.ts";

let api: OpenApi;
beforeEach(async () => {
  stubBrowser();
  api = await openApi();
});
afterEach(() => api.close());

/** One client for each of them. */
async function lists(name: "posts" | "profiles", ...people: (Member | undefined)[]) {
  return Promise.all(people.map(async (who) => collection(await api.connect("appwrite 18.2.0", who), name)));
}

test("a cached profile of a suspended member is visible to staff and themselves only", async () => {
  const { ruth, maren, tobias, site } = api.world;
  await suspendMember(site, ruth, maren.id, { days: 3, reason: "Advertisements" });
  const clients = await lists("profiles", ruth, maren, tobias, undefined);
  const queries = ['{"method":"limit","values":[502]}'];
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 3, 0, 2],
  ])
    for (const client of order) {
      const { documents } = (await clients[client]?.list(queries)) ?? { documents: [] };
      const isThere = documents.some(({ $id }) => $id === maren.id);
      expect([client, isThere, documents.length]).toEqual([client, client < 2, client < 2 ? 4 : 3]);
    }
  const [profile] = await loadDocumentsUnchecked(site, "profiles", [maren.id]);
  const receives = [ruth, maren, tobias, null].map((viewer) => profile && mayReceive(viewer, "profiles", profile));
  expect(receives).toEqual([true, true, false, false]);
  await expect(authorFeed(site, maren.id)).rejects.toMatchObject({ code: "not-found" });
});

test("listing all stories takes an account, unless the site allows it; single ones, an author's and featured ones don't", async () => {
  const { maren, tobias, site } = api.world;
  await writePost(api, "one");
  await writePost(api, "two");
  await site.db.updateTable("posts").set({ featured: true }).where("id", "=", "two").execute();
  const [member, visitor] = await lists("posts", tobias, undefined);
  const { Query } = (await api.connect("appwrite 18.2.0")).sdk;
  const active = Query.equal("status", "active");
  const all = [
    [],
    [active],
    [active, Query.orderDesc("views")],
    [Query.search("title", "one")],
    [Query.or([active, Query.equal("userId", "x")])],
  ];
  for (const queries of all)
    for (let round = 0; round < 2; round++) {
      expect((await member?.list(queries))?.total).toBeGreaterThanOrEqual(queries === all[3] ? 0 : 2);
      expect(await failure(async () => visitor?.list(queries))).toMatchObject({ code: 401, type: "user_unauthorized" });
    }
  const open: [string[], number][] = [
    [[Query.equal("userId", maren.id), active], 2],
    [[Query.equal("$id", ["one", "two"])], 2],
    [[active, Query.equal("featured", true)], 1],
  ];
  for (const [queries, count] of open) expect((await visitor?.list(queries))?.total).toBe(count);
  expect((await visitor?.get("one"))?.title).toBe("Story one");
  Object.assign(site.settings, { publicStoryListing: true });
  for (const queries of all) await expect(visitor?.list(queries)).resolves.toBeDefined();
});
