import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openPostPages, type PostPages } from "../../tests/support/browsers/post-pages.ts";
import type { World } from "../../tests/support/world.ts";

let pages: PostPages;
let world: World;
beforeEach(async () => {
  pages = await openPostPages();
  world = pages.world;
});
afterEach(() => world.close());

describe("search", () => {
  test("§2 the header has a search box (placeholder Search posts...) bound to the one shared term", async () => {
    const html = await pages.page(world.tobias, "/all-posts?q=night%20%22bus%3C");
    expect(html).toMatch(/<input[^>]*type="search"[^>]*name="q"|<input[^>]*name="q"[^>]*type="search"/);
    expect(html).toContain('placeholder="Search posts..."');
    expect(html).toContain('value="night &quot;bus&lt;"');
  });

  test("suggestions highlight the matches, for visitors too", async () => {
    await pages.publish({ title: "Night Train", slug: "night-train", status: "inactive" });
    const answer = await pages.get("/search/suggestions?q=nihgt");
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(await answer.json()).toMatchObject({
      posts: [
        {
          id: "night-bus",
          title: [
            { text: "Night", hit: true },
            { text: " Bus", hit: false },
          ],
        },
      ],
    });
    for (const q of ["", "%00", "%22%27%2A", "%F0%9F%98%80", "%ff"]) {
      const nothing = await pages.get(`/search/suggestions?q=${q}`);
      expect([q, nothing.status, await nothing.json()]).toEqual([q, 200, { posts: [] }]);
    }
  });
});
