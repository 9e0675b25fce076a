import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { setFollow } from "../follows/follows.server.ts";
import type { NotificationKind } from "../notifications/kinds.ts";
import { readShellCounts } from "../pages/shell.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import type { Member } from "../site.ts";
import { describeAsText, targetOf } from "./entry.ts";
import { listNotifications } from "./list.server.ts";
import { markAllRead, markRead } from "./marking.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await addPost(world, world.maren, { id: "spoon", title: "The Spoon" });
});
afterEach(() => world.close());

const list = (viewer: Member = world.maren, request: { kind?: NotificationKind; onlyUnread?: boolean } = {}) =>
  listNotifications(world.site, viewer, { limit: 20, ...request });
const texts = async (viewer?: Member) => (await list(viewer)).entries.map(describeAsText);
const count = async (viewer: Member = world.maren) => (await readShellCounts(world.site, viewer)).notifications;
const rows = () => world.site.db.selectFrom("notifications").selectAll().execute();
const like = async (by: Member, on = true, postId = "spoon") => {
  world.clock.advance(1);
  await setLike(world.site, by, postId, on);
};
const newMembers = (names: string[]) => Promise.all(names.map((name) => addMember(world, name)));

describe("likes of one story are one notification", () => {
  test("names the latest two, counts the others, and is one row for any number", async () => {
    const [ana, ben, caro] = (await newMembers(["Ana", "Ben", "Caro"])) as [Member, Member, Member];
    await like(ben);
    expect(await texts()).toEqual(["Ben liked “The Spoon”"]);
    await like(ana);
    expect(await texts()).toEqual(["Ana and Ben liked “The Spoon”"]);
    await like(caro);
    await like(ana, false);
    await like(ana);
    expect(await texts()).toEqual(["Ana and 2 others liked “The Spoon”"]);
    expect([await count(), (await rows()).length]).toEqual([1, 1]);
    expect((await list()).entries.map(targetOf)).toEqual(["/post/spoon"]);
    expect(await texts(ana)).toEqual([]);
  });

  test("a like after it was read starts a new one", async () => {
    const [ana, ben] = (await newMembers(["Ana", "Ben"])) as [Member, Member];
    await like(ana);
    await markRead(world.site, world.maren, [(await list()).entries[0]?.id ?? ""]);
    expect(await count()).toBe(0);
    await like(ben);
    expect((await list()).entries.map((entry) => [describeAsText(entry), entry.isRead])).toEqual([
      ["Ben liked “The Spoon”", false],
      ["Ana liked “The Spoon”", true],
    ]);
    expect((await list(world.maren, { onlyUnread: true })).entries).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test("removing a like shrinks it, and removing the last one deletes it", async () => {
    const [ana, ben] = (await newMembers(["Ana", "Ben"])) as [Member, Member];
    await like(ana);
    await like(ben);
    const before = (await list()).entries[0]?.at;
    await like(ben, false);
    expect(await texts()).toEqual(["Ana liked “The Spoon”"]);
    expect((await list()).entries[0]?.at).toBe(Number(before) - 1);
    await like(ana, false);
    expect([await texts(), await count(), await rows()]).toEqual([[], 0, []]);
  });

  test("own likes cause none", async () => {
    await like(world.maren);
    expect([await texts(), await rows()]).toEqual([[], []]);
  });

  test("own likes and bookmarks are not part of it", async () => {
    const [ana] = (await newMembers(["Ana"])) as [Member];
    await like(ana);
    await setBookmark(world.site, ana, "spoon", true);
    await like(world.maren);
    await setBookmark(world.site, world.maren, "spoon", true);
    await like(world.tobias);
    await like(world.tobias, false);
    expect((await texts()).sort()).toEqual(["Ana liked “The Spoon”", "Someone bookmarked “The Spoon”"]);
    await like(ana, false);
    await setBookmark(world.site, ana, "spoon", false);
    expect([await texts(), await count(), await rows()]).toEqual([[], 0, []]);
  });

  test("counts the current likes after any sequence of likes and unlikes", async () => {
    const people = [...(await newMembers(["Ana", "Ben", "Caro", "Dan"])), world.maren];
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ who: fc.nat(4), on: fc.boolean() }) },
      { weight: 1, arbitrary: fc.constant("read" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        for (const person of people) await like(person, false);
        await world.site.db.deleteFrom("notifications").execute();
        const unread = new Set<string>();
        const all = new Set<string>();
        for (const each of steps) {
          world.clock.advance(1);
          if (each === "read") {
            await markAllRead(world.site, world.maren, { until: world.site.now() });
            unread.clear();
            world.clock.advance(1);
            continue;
          }
          const name = people[each.who]?.name ?? "";
          await like(people[each.who] as Member, each.on);
          // The author's own likes don't count.
          if (name === world.maren.name) continue;
          if (!each.on) unread.delete(name);
          else if (!all.has(name)) unread.add(name);
          if (each.on) all.add(name);
          else all.delete(name);
        }
        const { entries } = await list(world.maren, { onlyUnread: true });
        expect(entries.map((entry) => ("count" in entry ? entry.count : 0))).toEqual(unread.size > 0 ? [unread.size] : []);
        expect(await count()).toBe(unread.size > 0 ? 1 : 0);
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});

test("bundles are correct while time passes, with different clocks of two processes", async () => {
  const { maren, tobias, ruth } = world;
  let time = world.site.now();
  const site = { ...world.site, now: () => ++time };
  await setLike(site, tobias, "spoon", true);
  await setBookmark(site, tobias, "spoon", true);
  await setFollow(site, tobias, { userId: maren.id, following: true });
  await setLike({ ...site, now: () => time - 50 }, ruth, "spoon", true);
  const { entries } = await listNotifications(site, maren, { limit: 20 });
  expect(entries.map(describeAsText)).toEqual([
    "Tobias Lindqvist started following you",
    "Someone bookmarked “The Spoon”",
    "Tobias Lindqvist and Ruth Castellanos liked “The Spoon”",
  ]);
});

test("likes are counted up to a hundred", async () => {
  const people = await newMembers(Array.from({ length: 101 }, (_, index) => `Reader ${index}`));
  for (const person of people) await like(person);
  expect(await texts()).toEqual(["Reader 100 and 99+ others liked “The Spoon”"]);
  expect(await rows()).toHaveLength(1);
});

test("bookmarks are counted without names", async () => {
  const [ana, ben] = (await newMembers(["Ana", "Ben"])) as [Member, Member];
  await setBookmark(world.site, ana, "spoon", true);
  expect(await texts()).toEqual(["Someone bookmarked “The Spoon”"]);
  await setBookmark(world.site, ben, "spoon", true);
  expect(await texts()).toEqual(["2 people bookmarked “The Spoon”"]);
  expect(JSON.stringify(await list())).not.toMatch(/Ana|Ben/);
  await setBookmark(world.site, ana, "spoon", false);
  await setBookmark(world.site, ben, "spoon", false);
  expect([await texts(), await rows()]).toEqual([[], []]);
});

test("new followers are one notification, and unfollowing removes them from it", async () => {
  const [ana, ben] = (await newMembers(["Ana", "Ben"])) as [Member, Member];
  const follow = async (by: Member, following: boolean) => {
    world.clock.advance(1);
    await setFollow(world.site, by, { userId: world.maren.id, following });
  };
  await follow(ana, true);
  await follow(ben, true);
  expect(await texts()).toEqual(["Ben and Ana started following you"]);
  await follow(ben, false);
  const { entries } = await list();
  expect(entries.map((entry) => [describeAsText(entry), targetOf(entry)])).toEqual([["Ana started following you", `/profile/${ana.id}`]]);
  await follow(ana, false);
  expect([await texts(), await count()]).toEqual([[], 0]);
});
