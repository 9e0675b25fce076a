import type { Insertable } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PostRow } from "#platform/database/schema.ts";
import { searchColumns } from "#platform/database/search/search-words.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { countBookmarks, listBookmarks } from "./bookmarks.server.ts";
import { setBookmark } from "./reactions.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

async function write(id: string, chosen: Partial<Insertable<PostRow>> = {}) {
  const { maren } = world;
  const texts = { title: id.replaceAll("-", " "), content: "", markdown: "", summary: "", plainText: "", words: 0 };
  const flags = { status: "active" as const, featured: false, pinned: false, featuredImage: null };
  const counts = { views: 0, likesCount: 0, bookmarksCount: 0, publishedAt: 1, createdAt: 1, updatedAt: 1 };
  const post = { id, userId: maren.id, userName: maren.name, ...texts, ...flags, ...counts, ...chosen };
  await world.site.db
    .insertInto("posts")
    .values({ ...post, ...searchColumns(post) })
    .execute();
}

async function bookmark(...ids: string[]) {
  for (const id of ids) {
    await write(id);
    world.clock.advance(1000);
    await setBookmark(world.site, world.tobias, id, true);
  }
}

const ids = async (request: { limit?: number; after?: string | null; search?: string } = {}) =>
  (await listBookmarks(world.site, world.tobias, { limit: 10, ...request })).posts.map(({ id }) => id);

describe("bookmarks", () => {
  test("are listed newest first and counted", async () => {
    await bookmark("night-bus", "tide-table");
    const { posts, next } = await listBookmarks(world.site, world.tobias, { limit: 10 });
    expect(posts.map(({ id, bookmarkedAt, userName }) => [id, bookmarkedAt, userName])).toEqual([
      ["tide-table", world.site.now(), "Maren Oduya"],
      ["night-bus", world.site.now() - 1000, "Maren Oduya"],
    ]);
    expect(next).toBeNull();
    expect(await countBookmarks(world.site, world.tobias)).toBe(2);
    expect(await countBookmarks(world.site, world.maren)).toBe(0);
  });

  test("are complete and unique across pages, even with equal times", async () => {
    for (const id of ["a", "b", "c", "d", "e"]) {
      await write(id);
      await setBookmark(world.site, world.tobias, id, true);
    }
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await listBookmarks(world.site, world.tobias, { limit: 2, after });
      seen.push(...page.posts.map(({ id }) => id));
      after = page.next;
    } while (after);
    expect(seen).toEqual(["e", "d", "c", "b", "a"]);
  });

  test("an invalid cursor starts at the beginning", async () => {
    await bookmark("night-bus");
    for (const after of ["x", "-", "1e9-a", "'; drop table posts"]) expect(await ids({ after })).toEqual(["night-bus"]);
  });

  test("are searched by title and author", async () => {
    await bookmark("night-bus", "tide-table");
    await write("night-train");
    expect(await ids({ search: "nig" })).toEqual(["night-bus"]);
    expect(await ids({ search: "oduya table" })).toEqual(["tide-table"]);
    expect(await ids({ search: "moth" })).toEqual([]);
    expect(await ids({ search: "  " })).toHaveLength(2);
  });

  test("hide stories that became drafts, except for their author", async () => {
    await bookmark("night-bus");
    await setBookmark(world.site, world.maren, "night-bus", true);
    await world.site.db.updateTable("posts").set({ status: "inactive" }).execute();
    expect(await ids()).toEqual([]);
    expect(await countBookmarks(world.site, world.tobias)).toBe(0);
    expect(await countBookmarks(world.site, world.maren)).toBe(1);
    await world.site.db.updateTable("posts").set({ status: "active" }).execute();
    expect(await ids()).toEqual(["night-bus"]);
  });

  test("require a sign-in", async () => {
    await expect(listBookmarks(world.site, null, { limit: 1 })).rejects.toMatchObject({ code: "sign-in-required" });
    await expect(countBookmarks(world.site, null)).rejects.toMatchObject({ code: "sign-in-required" });
  });
});
