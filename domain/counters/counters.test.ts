import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { expectExactCounters } from "../../tests/support/rows.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { createPost, deletePost } from "../posts/posts.server.ts";
import { countView } from "../posts/views.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import { isRefusal } from "../refusals.ts";
import type { Member } from "../site.ts";
import { readCounter, readCounters, readDays, readMemberCounters } from "./counters.server.ts";
import { dayOf } from "./counters.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const day = 24 * 60 * 60 * 1000;

const expectExact = () => expectExactCounters(world.site);

describe("the counters", () => {
  test("follow a story from draft to deletion", async () => {
    const post = { title: "A", slug: "a", content: "", status: "active" } as const;
    await createPost(world.site, world.maren, post, await picture());
    await setLike(world.site, world.tobias, "a", true);
    await countView(world.site, world.tobias, { ip: "192.0.2.1", userAgent: null }, "a");
    expect(await readCounters(world.site)).toMatchObject({
      published: 1,
      drafts: 0,
      writers: 1,
      publishedViews: 1,
      publishedLikes: 1,
      likes: 1,
    });
    expect(await readMemberCounters(world.site, world.maren.id)).toEqual({ posts: 1, published: 1, likesReceived: 1, messagesSent: 0 });
    await world.site.db.updateTable("posts").set({ status: "inactive", featured: true }).execute();
    expect(await readCounters(world.site)).toMatchObject({
      published: 0,
      drafts: 1,
      featured: 1,
      writers: 0,
      publishedViews: 0,
      publishedLikes: 0,
      likes: 1,
    });
    await deletePost(world.site, world.maren, "a");
    expect(await readCounters(world.site)).toMatchObject({ published: 0, drafts: 0, featured: 0, likes: 0, bookmarks: 0 });
    expect(await readMemberCounters(world.site, world.maren.id)).toMatchObject({ posts: 0, published: 0, likesReceived: 0 });
  });

  test("are dated like their rows; views like the view", async () => {
    const today = dayOf(world.site.now());
    await addPost(world, world.maren, { id: "old", createdAt: world.site.now() - 3 * day });
    await setLike(world.site, world.tobias, "old", true);
    await countView(world.site, null, { ip: "192.0.2.1", userAgent: null }, "old");
    world.clock.advance(day);
    await countView(world.site, null, { ip: "192.0.2.1", userAgent: null }, "old");
    const days = () => readDays(world.site, ["published", "likes", "views"], { from: today - 3, to: today + 1 });
    expect(await days()).toEqual([
      { day: today - 3, published: 1, likes: 0, views: 0 },
      { day: today - 2, published: 0, likes: 0, views: 0 },
      { day: today - 1, published: 0, likes: 0, views: 0 },
      { day: today, published: 0, likes: 1, views: 1 },
      { day: today + 1, published: 0, likes: 0, views: 1 },
    ]);
    await deletePost(world.site, world.maren, "old");
    expect((await days()).map(({ published, likes, views }) => [published, likes, views])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 1],
      [0, 0, 1],
    ]);
  });

  test("stay unchanged for missing members", async () => {
    expect(await readMemberCounters(world.site, "nobody")).toEqual({ posts: 0, published: 0, likesReceived: 0, messagesSent: 0 });
    expect(await readCounter(world.site, "published")).toBe(0);
  });

  test("decrease when an account is deleted", async () => {
    const leaving = await addMember(world, "Lea Ving");
    for (const id of ["one", "two"]) await addPost(world, leaving, { id });
    await addPost(world, world.maren, { id: "stays" });
    await setLike(world.site, leaving, "stays", true);
    await setLike(world.site, world.maren, "one", true);
    await setBookmark(world.site, leaving, "stays", true);
    await sendMessage(world.site, leaving, { to: world.maren.id, text: "Goodbye", sendId: "1" });
    await sendMessage(world.site, world.maren, { to: leaving.id, text: "Must you?", sendId: "1" });
    await world.site.db.deleteFrom("users").where("id", "=", leaving.id).execute();
    await expectExact();
    expect(await readCounters(world.site)).toMatchObject({ published: 1, writers: 1, likes: 0, bookmarks: 0, messages: 0 });
  });

  test("never block: concurrent transactions use separate shards", async () => {
    const people = await Promise.all(Array.from({ length: 8 }, (_, index) => addMember(world, `Reader ${index}`)));
    await Promise.all(people.map((_, index) => addPost(world, world.maren, { id: `story-${index}` })));
    await Promise.all(people.map((person, index) => setLike(world.site, person, `story-${index}`, true)));
    await expectExact();
  });
});

type Operation = { what: number; who: number; which: number; ahead: number };
const operation = fc.record({ what: fc.nat(10), who: fc.nat(4), which: fc.nat(5), ahead: fc.nat(2) });

test("always equal a count of the rows, under any concurrent actions", async () => {
  let named = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }), async (rounds) => {
      for (const round of rounds) {
        world.clock.advance(day / 3);
        await Promise.all(round.map((each) => act(each).catch(ignoreRefusal)));
      }
      await expectExact();
    }),
    { numRuns: propertyRuns(60) },
  );

  async function act({ what, who, which, ahead }: Operation) {
    const { site } = world;
    const members = [world.maren, world.tobias, world.salma, world.ruth];
    const person = members[who % 4] as Member;
    const id = `story-${which}`;
    const posts = site.db.updateTable("posts").where("id", "=", id);
    const operations = [
      () => addPost(world, person, { id, status: ahead === 0 ? "inactive" : "active", featured: ahead === 1, views: which }),
      () => addPost(world, person, { id, likesCount: which, createdAt: site.now() - ahead * day }),
      () => deletePost(site, world.ruth, id),
      () => setLike(site, person, id, ahead > 0),
      () => setBookmark(site, person, id, ahead > 0),
      () => countView(site, person, { ip: "192.0.2.1", userAgent: null }, id),
      () => posts.set({ status: ahead === 0 ? "inactive" : "active", pinned: who === 0 }).execute(),
      () => posts.set({ views: 7 * who, featured: ahead > 0, createdAt: site.now() - ahead * day }).execute(),
      () => sendMessage(site, world.maren, { to: world.tobias.id, text: "Hello", sendId: `${named++}` }),
      () => site.db.deleteFrom("messages").where("number", "=", which).execute(),
      async () => {
        const leaving = await addMember(world, `Lea Ving ${named++}`);
        await addPost(world, leaving, { id: `${id}-${named++}` });
        await setLike(site, leaving, id, true);
        if (ahead > 0) await site.db.deleteFrom("users").where("id", "=", leaving.id).execute();
      },
    ];
    await operations[what]?.();
  }

  /** Conflicting slugs and missing stories are expected. */
  function ignoreRefusal(error: unknown) {
    if (!isRefusal(error) && !/unique/i.test(String(error))) throw error;
  }
});
