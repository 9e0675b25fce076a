import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deletePost } from "#domain/posts/posts.server.ts";
import { viewWindowMs } from "#domain/posts/views.server.ts";
import type { Viewer } from "#domain/site.ts";
import { openPostPages, type PostPages } from "../../tests/support/browsers/post-pages.ts";
import { formPost } from "../../tests/support/web.ts";
import type { World } from "../../tests/support/world.ts";

let pages: PostPages;
let world: World;
beforeEach(async () => {
  pages = await openPostPages();
  world = pages.world;
});
afterEach(() => world.close());

describe("§4 and §8: Like and bookmark", () => {
  const press = async (viewer: Viewer, fields: Record<string, string>, scripted = true) =>
    pages.web.request(
      "/post/night-bus/react",
      formPost({ ...fields, ...(scripted && { scripted: "yes" }) }, { cookie: await pages.cookieOf(viewer) }),
    );
  const answer = async (viewer: Viewer, fields: Record<string, string>) => {
    const response = await press(viewer, fields);
    return [response.status, await response.json()];
  };

  test.each([
    ["like", "yes", "Post liked!", { on: true, count: 1 }],
    ["like", "no", "Like removed", { on: false, count: 0 }],
    ["bookmark", "yes", "Added to bookmarks", { on: true, count: 1 }],
    ["bookmark", "no", "Removed from bookmarks", { on: false, count: 0 }],
  ])("%s, wanted: %s: %s, however often", async (reaction, wanted, toast, saved) => {
    for (let time = 0; time < 2; time++) {
      expect(await answer(world.tobias, { reaction, wanted })).toEqual([200, { tone: "success", text: toast, saved }]);
    }
  });

  test.each([
    ["like", "Please login to like posts"],
    ["bookmark", "Please login to bookmark posts"],
  ])("requires login, otherwise shows a toast: %s", async (reaction, toast) => {
    expect(await answer(null, { reaction, wanted: "yes" })).toEqual([401, { tone: "info", text: toast, saved: null }]);
  });

  test.each([
    ["like", "Failed to update like"],
    ["bookmark", "Failed to update bookmark"],
  ])("reports a story deleted while it was being read, %s: %s", async (reaction, toast) => {
    await deletePost(world.site, world.maren, "night-bus");
    expect(await answer(world.tobias, { reaction, wanted: "yes" })).toEqual([404, { tone: "error", text: toast, saved: null }]);
  });

  test("without JavaScript the form redirects to the story with the toast", async () => {
    const response = await press(world.tobias, { reaction: "like", wanted: "yes" }, false);
    expect([response.status, response.headers.get("location")]).toEqual([302, "/post/night-bus"]);
    expect(decodeURIComponent(response.headers.get("set-cookie") ?? "")).toContain("Post liked!");
  });
});

describe("§9 View counting", () => {
  const view = async (viewer: Viewer, userAgent = "a browser") =>
    pages.web.request("/post/night-bus/view", {
      method: "POST",
      headers: { cookie: await pages.cookieOf(viewer), origin: world.site.url, "user-agent": userAgent },
    });
  const views = async () => (await world.site.db.selectFrom("posts").select("views").executeTakeFirstOrThrow()).views;

  test("once per viewer and post in 30 minutes, for any user agent", async () => {
    for (const viewer of [world.tobias, world.tobias, null, null, world.ruth]) await view(viewer);
    expect(await views()).toBe(3);
    await view(null, "another browser");
    expect(await views()).toBe(3);
    world.clock.advance(viewWindowMs - 1);
    await view(world.tobias);
    expect(await views()).toBe(3);
    world.clock.advance(1);
    await view(world.tobias);
    expect(await views()).toBe(4);
  });

  test("does not count the author's visit to a draft", async () => {
    await pages.change({ status: "inactive" });
    await view(world.maren);
    expect(await views()).toBe(0);
  });
});
