import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hours } from "#platform/time.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { setBlocked } from "../messages/blocking.server.ts";
import { isFollowing, listFollowedIds, readFollowCounts, setFollow } from "./follows.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const follow = (following: boolean, viewer = world.tobias, userId = world.maren.id) => setFollow(world.site, viewer, { userId, following });
const counts = (userId: string) => readFollowCounts(world.site, userId);

describe("following", () => {
  test("is stored and counted for both members", async () => {
    await follow(true);
    expect(await isFollowing(world.site, world.tobias, world.maren.id)).toBe(true);
    expect(await isFollowing(world.site, world.maren, world.tobias.id)).toBe(false);
    expect(await counts(world.maren.id)).toEqual({ followers: 1, following: 0 });
    expect(await counts(world.tobias.id)).toEqual({ followers: 0, following: 1 });
    expect(await listFollowedIds(world.site, world.tobias)).toEqual([world.maren.id]);
  });

  test("is idempotent, like unfollowing", async () => {
    await follow(true);
    await follow(true);
    expect(await counts(world.maren.id)).toEqual({ followers: 1, following: 0 });
    await follow(false);
    await follow(false);
    expect(await counts(world.maren.id)).toEqual({ followers: 0, following: 0 });
    expect(await isFollowing(world.site, world.tobias, world.maren.id)).toBe(false);
  });

  test("is consistent from two tabs at the same moment", async () => {
    await Promise.all([follow(true), follow(true), follow(false), follow(true)]);
    await follow(true);
    expect(await counts(world.maren.id)).toEqual({ followers: 1, following: 0 });
  });

  test("two members can follow each other at the same moment", async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => [follow(index % 2 === 0), follow(index % 2 === 0, world.maren, world.tobias.id)]).flat(),
    );
    await follow(true);
    await follow(true, world.maren, world.tobias.id);
    expect([await counts(world.maren.id), await counts(world.tobias.id)]).toEqual([
      { followers: 1, following: 1 },
      { followers: 1, following: 1 },
    ]);
  });

  test("oneself, an unknown member or without a sign-in is rejected", async () => {
    await expect(follow(true, world.maren)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(setFollow(world.site, null, { userId: world.maren.id, following: true })).rejects.toMatchObject({
      code: "sign-in-required",
    });
    await expect(follow(true, world.tobias, "nobody")).rejects.toMatchObject({ code: "not-found" });
    expect(await isFollowing(world.site, null, world.maren.id)).toBe(false);
  });

  test("more than 5,000 members is refused, unfollowing is not", async () => {
    const { site, tobias, ruth } = world;
    await site.db.insertInto("follow_counts").values({ userId: tobias.id, followers: 0, following: 4_999 }).execute();
    await follow(true);
    const tooMany = { code: "too-many", message: "You can’t follow more than 5,000 members" };
    await expect(follow(true, tobias, ruth.id)).rejects.toMatchObject(tooMany);
    expect(await isFollowing(site, tobias, ruth.id)).toBe(false);
    expect(await counts(tobias.id)).toEqual({ followers: 0, following: 5_000 });
    await follow(true);
    await follow(false);
    await follow(true, tobias, ruth.id);
    expect(await counts(tobias.id)).toEqual({ followers: 0, following: 5_000 });
  });

  test("notifies the member's tabs and viewers of the profile", async () => {
    const received: string[] = [];
    world.site.events.subscribe(`user:${world.tobias.id}`, ({ type, data }) => received.push(`${type} ${data.following}`));
    world.site.events.subscribe(`profile:${world.maren.id}`, ({ type }) => received.push(type));
    await follow(true);
    await expect.poll(() => [...received].sort()).toEqual(["follow.changed", "follow.changed true"]);
    await follow(true);
    await follow(false);
    await expect.poll(() => received).toHaveLength(4);
  });

  test("keeps counters exact in any order of actions", async () => {
    const people = [world.maren, world.tobias, world.salma, world.ruth];
    const step = fc.record({ who: fc.nat(3), whom: fc.nat(3), following: fc.boolean() }).filter(({ who, whom }) => who !== whom);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { who, whom, following } of steps) {
          const [viewer, other] = [people[who], people[whom]];
          if (viewer && other) await setFollow(world.site, viewer, { userId: other.id, following });
        }
        const rows = await world.site.db.selectFrom("follows").select(["followerId", "followedId"]).execute();
        for (const { id } of people)
          expect(await counts(id)).toEqual({
            followers: rows.filter(({ followedId }) => followedId === id).length,
            following: rows.filter(({ followerId }) => followerId === id).length,
          });
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});

describe("the email about a follower", () => {
  test("goes to confirmed addresses, once a month at most", async () => {
    await follow(true);
    await expect
      .poll(() => world.emails.map(({ to, subject }) => `${to}: ${subject}`))
      .toEqual(["maren@example.com: You have a new follower on Inkstead"]);
    expect(world.emails[0]?.text).toContain(`http://inkstead.test/profile/${world.tobias.id}`);
    await follow(false);
    await follow(true);
    const hana = await addMember(world, "Hana Novák");
    await follow(true, hana);
    await expect
      .poll(() => world.emails.map(({ subject }) => subject))
      .toEqual(["You have a new follower on Inkstead", "You have a new follower on Inkstead"]);
    expect(world.emails).toHaveLength(2);
  });

  const emailedIds = async () => {
    const rows = await world.site.db.selectFrom("outbox").select("userId").where("kind", "=", "follower").orderBy("number").execute();
    return rows.map(({ userId }) => userId);
  };

  test("is sent 30 times an hour at most for one follower", async () => {
    const readers = await Promise.all(Array.from({ length: 40 }, (_, index) => addMember(world, `Reader ${index}`)));
    const ids = readers.map(({ id }) => id);
    for (const id of ids) await follow(true, world.tobias, id);
    expect(await emailedIds()).toEqual(ids.slice(0, 30));
    await follow(true, world.ruth, ids[39]);
    expect((await emailedIds()).slice(30)).toEqual([ids[39]]);
    world.clock.advance(hours(1));
    await follow(false, world.tobias, ids[35]);
    await follow(true, world.tobias, ids[35]);
    expect((await emailedIds()).slice(31)).toEqual([ids[35]]);
  });

  test("is sent ten times a day at most to one member", async () => {
    const readers = await Promise.all(Array.from({ length: 13 }, (_, index) => addMember(world, `Reader ${index}`)));
    for (const reader of readers.slice(0, 12)) await follow(true, reader);
    expect(await emailedIds()).toEqual(Array(10).fill(world.maren.id));
    await follow(true, readers[0], world.ruth.id);
    expect((await emailedIds()).slice(10)).toEqual([world.ruth.id]);
    world.clock.advance(hours(24));
    await follow(true, readers[12]);
    expect((await emailedIds()).slice(11)).toEqual([world.maren.id]);
  });

  test("isn't sent while the setting is off, or to unconfirmed addresses", async () => {
    world.site.settings.emailNotifications = false;
    await follow(true);
    world.site.settings.emailNotifications = true;
    await follow(true, world.tobias, world.salma.id);
    await follow(true, world.tobias, world.ruth.id);
    await expect.poll(() => world.emails.map(({ to }) => to)).toEqual(["ruth@example.com"]);
  });

  test("isn't sent about a follower whom the member has blocked", async () => {
    await setBlocked(world.site, world.maren, world.tobias.id, true);
    await follow(true);
    await follow(true, world.ruth);
    await expect.poll(() => world.emails.map(({ text }) => /\n(.*) is now following/.exec(text)?.[1])).toEqual(["Ruth Castellanos"]);
    await setBlocked(world.site, world.maren, world.tobias.id, false);
    await follow(false);
    await follow(true);
    await expect.poll(() => world.emails).toHaveLength(2);
  });
});
