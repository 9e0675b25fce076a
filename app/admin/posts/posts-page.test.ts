import { expect, test } from "vitest";
import { fillSite } from "../../../tests/support/fill-site.ts";
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
