import { afterEach, beforeEach, expect, test } from "vitest";
import { fillSite } from "../../tests/support/fill-site.ts";
import { addPost } from "../../tests/support/posts.ts";
import { updateStatistics } from "../../tests/support/queries.ts";
import { fullScans, plansOf } from "../../tests/support/query-plans.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import type { Member } from "../site.ts";
import { listFeaturedWriters } from "./featured-writers.server.ts";

const day = 24 * 60 * 60 * 1000;

let world: World;
let written = 0;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const write = (by: Member, chosen: Omit<Parameters<typeof addPost>[2], "id"> = {}) =>
  addPost(world, by, { id: `story-${written++}`, ...chosen });

test("featured writers are the most-read ones of the last 30 days", async () => {
  await write(world.maren, { views: 5 });
  await write(world.maren, { views: 5 });
  await write(world.tobias, { views: 9 });
  await write(world.tobias, { views: 900, createdAt: world.site.now() - 31 * day });
  await write(world.salma, { views: 50, status: "inactive" });
  const writers = await listFeaturedWriters(world.site, 10);
  expect(writers.map(({ name, posts, views }) => ({ name, posts, views }))).toEqual([
    { name: "Maren Oduya", posts: 2, views: 10 },
    { name: "Tobias Lindqvist", posts: 1, views: 9 },
  ]);
  expect(await listFeaturedWriters(world.site, 1)).toHaveLength(1);
});

test("there are no featured writers without stories", async () => {
  expect(await listFeaturedWriters(world.site, 10)).toEqual([]);
});

test("featured writers' figures include all their stories, not only the best of a day", async () => {
  for (let index = 0; index < 25; index++) await write(world.tobias, { views: 100 });
  await write(world.maren, { views: 2_000 });
  for (let index = 0; index < 30; index++) await write(world.maren, { views: 20 });
  const hana = await addMember(world, "Hana Novak");
  await write(hana, { views: 150 });
  const writers = await listFeaturedWriters(world.site, 10);
  expect(writers.map(({ name, posts, views }) => [name, posts, views])).toEqual([
    ["Maren Oduya", 31, 2_600],
    ["Tobias Lindqvist", 25, 2_500],
    ["Hana Novak", 1, 150],
  ]);
});

test("featured writers are found by indexes", async () => {
  await fillSite(world);
  await updateStatistics(world.site);
  const plans = await plansOf(world.site, (site) => listFeaturedWriters(site, 20));
  expect(plans.length).toBeGreaterThan(1);
  expect(fullScans(plans), plans.join("\n")).toEqual([]);
});
