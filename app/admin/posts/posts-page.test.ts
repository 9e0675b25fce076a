import { expect, test } from "vitest";
import { fillSite } from "../../../tests/support/fill-site.ts";
import { openPage } from "../../../tests/support/pages.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn } from "../../../tests/support/world.ts";

test("a search says when there may be more matches than it shows", async () => {
  const world = await openWorld();
  await fillSite(world);
  const { cookie } = await signIn(world, world.ruth, { reauthenticated: true });
  const search = async (query: string) =>
    (await openWeb(world).request(`/admin/posts?q=everywhere${query}`, { headers: { cookie } })).text();
  expect(await search("")).toContain("250+ posts");
  expect(await search("&status=inactive")).toContain("Try adjusting your filters");
  await world.site.db.updateTable("posts").set({ status: "inactive" }).execute();
  const noneAmongNewest = await search("&status=active");
  expect(noneAmongNewest).toContain("0+ posts");
  expect(noneAmongNewest).toContain("Only the newest matches were checked");
  await world.close();
});

test("the table and the list of narrow screens both show the created date and select all", async () => {
  const world = await openWorld();
  await addPost(world, world.maren, { id: "tide", createdAt: Date.UTC(2026, 2, 4) });
  const { html } = await openPage(world, "/admin/posts", { as: world.ruth });
  for (const each of ["Mar 4, 2026", 'aria-label="Select all on this page"'])
    expect([each, html.split(each).length - 1]).toEqual([each, 2]);
  await world.close();
});
