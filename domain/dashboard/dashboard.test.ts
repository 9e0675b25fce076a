import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { deletePost } from "../posts/posts.server.ts";
import { holdPost } from "../posts/visibility.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import { readDashboard } from "./dashboard.server.ts";
import { growthOf, percent } from "./dashboard.ts";
import { readUptime, recordHeartbeat } from "./uptime.server.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const read = (range: 7 | 14 | 30 = 7) => readDashboard(world.site, world.ruth, range);

describe("the dashboard", () => {
  test("counts today, yesterday and the range, each by the day on which it happened", async () => {
    const { site, maren, tobias } = world;
    await addPost(world, maren, { id: "long-ago", createdAt: site.now() - 20 * day });
    await addPost(world, maren, { id: "yesterday", createdAt: site.now() - day });
    await addPost(world, maren, { id: "draft", status: "inactive" });
    await addPost(world, maren, { id: "today", featured: true, pinned: true });
    await setLike(site, tobias, "long-ago", true);
    await setLike(site, maren, "today", true);
    await setBookmark(site, tobias, "today", true);
    await addMember(world, "Kenji Watanabe");
    const dashboard = await read();
    expect(dashboard.totals).toEqual({ users: 5, published: 3, drafts: 1, held: 0, featured: 1, pinned: 1, engagement: 3, messages: 0 });
    expect(dashboard.today).toMatchObject({ posts: 2, likes: 2, messages: 0 });
    expect(dashboard.growth).toMatchObject({ posts: 100, engagement: 100 });
    expect(dashboard.range).toMatchObject({ posts: 3, engagement: 3, engagementRate: 100 });
    expect(dashboard.range.days.map(({ engagement }) => engagement)).toEqual([0, 0, 0, 0, 0, 0, 3]);
    expect((await read(30)).range).toMatchObject({ posts: 4 });
    expect((await read(30)).range.days).toHaveLength(30);
  });

  test("today's figures become yesterday's at midnight", async () => {
    await addPost(world, world.maren, { id: "one" });
    world.clock.advance(day);
    const { today, growth, range } = await read();
    expect(today.posts).toBe(0);
    expect(growth.posts).toBe(-100);
    expect(range.posts).toBe(1);
  });

  test("ranks by views + 5 × likes + 3 × bookmarks, published stories of the range only", async () => {
    const { maren } = world;
    await addPost(world, maren, { id: "viewed", views: 100 });
    await addPost(world, maren, { id: "liked", views: 20, likesCount: 30 });
    await addPost(world, maren, { id: "kept", views: 20, bookmarksCount: 40 });
    await addPost(world, maren, { id: "quiet", views: 99 });
    await addPost(world, maren, { id: "draft", views: 9_999, status: "inactive" });
    await addPost(world, maren, { id: "old", views: 9_999, createdAt: world.site.now() - 10 * day });
    expect((await read()).topPosts.map(({ id, score }) => [id, score])).toEqual([
      ["liked", 170],
      ["kept", 140],
      ["viewed", 100],
    ]);
    expect((await read(14)).topPosts[0]).toMatchObject({ id: "old", score: 9_999 });
  });

  test("shows the five newest stories, drafts too, and the five newest members", async () => {
    const { site, maren } = world;
    for (let i = 0; i < 7; i++)
      await addPost(world, maren, { id: `story-${i}`, status: i % 2 ? "active" : "inactive", createdAt: site.now() - i * minute });
    world.clock.advance(minute);
    await addMember(world, "Kenji Watanabe");
    const { recentPosts, recentUsers } = await read();
    expect(recentPosts.map(({ id }) => id)).toEqual(["story-0", "story-1", "story-2", "story-3", "story-4"]);
    expect(recentUsers).toHaveLength(5);
    expect(recentUsers[0]).toMatchObject({ name: "Kenji Watanabe" });
  });

  test("says which of the newest stories are held or deleted by staff", async () => {
    const { site, maren, ruth } = world;
    for (const id of ["published", "draft", "held", "deleted"])
      await addPost(world, maren, { id, status: id === "draft" ? "inactive" : "active" });
    await holdPost(site, ruth, "held", { reason: "It names a neighbour" });
    await deletePost(site, ruth, "deleted", { reason: "Spam" });
    const states = (await read()).recentPosts.map(({ id, status, held }) => [id, status, held]);
    expect(states.sort()).toEqual([
      ["deleted", "inactive", "delete"],
      ["draft", "inactive", null],
      ["held", "inactive", "hold"],
      ["published", "active", null],
    ]);
  });

  test("is for administrators only", async () => {
    await expect(readDashboard(world.site, world.maren, 7)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(readDashboard(world.site, null, 7)).rejects.toMatchObject({ code: "sign-in-required" });
  });
});

describe("uptime", () => {
  const pass = async (minutes: number, up: boolean) => {
    for (let i = 0; i < minutes; i++) {
      if (up) await recordHeartbeat(world.site);
      world.clock.advance(minute);
    }
  };

  test("is 99.9 without an hour of data", async () => {
    expect(await readUptime(world.site)).toBe(99.9);
    await pass(59, true);
    expect(await readUptime(world.site)).toBe(99.9);
  });

  test("is the share of minutes with a heartbeat", async () => {
    await pass(60, true);
    expect(await readUptime(world.site)).toBe(100);
    await pass(20, false);
    expect(await readUptime(world.site)).toBe(75);
    await recordHeartbeat(world.site);
    await recordHeartbeat(world.site);
    world.clock.advance(8 * day);
    await recordHeartbeat(world.site);
    expect(await world.site.db.selectFrom("uptime").selectAll().execute()).toHaveLength(1);
  });
});

test.each([
  [3, 2, 50],
  [1, 2, -50],
  [5, 0, 100],
  [0, 0, 0],
])("today %i, yesterday %i: growth %i", (today, yesterday, growth) => {
  expect(growthOf(today, yesterday)).toBe(growth);
});

test("percentages have one decimal", () => {
  expect([percent(76.84), percent(2031.6), percent(100), percent(0)]).toEqual(["76.8%", "2,031.6%", "100.0%", "0.0%"]);
});
