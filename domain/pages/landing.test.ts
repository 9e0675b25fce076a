import { afterEach, beforeEach, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { countView } from "../posts/views.server.ts";
import { saveSettings } from "../settings/settings.server.ts";
import { readLandingStats } from "./landing.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

test("the landing page shows the specified figures unless set otherwise", async () => {
  const { site, tobias, maren, ruth } = world;
  expect(await readLandingStats(site)).toEqual({ users: "15,420", posts: "48,391", reads: "2.54M", online: "8,290" });
  await saveSettings(site, ruth, { landingFigures: "live" });
  for (const id of ["one", "two"]) await addPost(world, maren, { id, views: 1200 });
  await addPost(world, maren, { id: "draft", status: "inactive", views: 9_999 });
  const from = { ip: "192.0.2.1", userAgent: null };
  for (const id of ["one", "two"]) await countView(site, tobias, from, id);
  await countView(site, null, from, "one");
  expect(await readLandingStats(site)).toEqual({ users: "4", posts: "2", reads: "2.4K", online: "2" });
  world.clock.advance(31 * 60_000);
  expect(await readLandingStats(site)).toMatchObject({ online: "0" });
});
