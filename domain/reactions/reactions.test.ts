import { afterEach, beforeEach, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { createPost } from "../posts/posts.server.ts";
import { setBookmark, setLike } from "./reactions.server.ts";

let world: World;
let postId: string;
beforeEach(async () => {
  world = await openWorld();
  const post = { title: "A", slug: "a", content: "", status: "active" } as const;
  postId = (await createPost(world.site, world.maren, post, await picture())).id;
});
afterEach(() => world.close());

const counted = async () => {
  const post = await world.site.db
    .selectFrom("posts")
    .select(["likesCount", "bookmarksCount"])
    .where("id", "=", postId)
    .executeTakeFirstOrThrow();
  const likes = await world.site.db.selectFrom("likes").select("userId").execute();
  return { ...post, likes: likes.length };
};

test("liking and unliking are idempotent", async () => {
  await setLike(world.site, world.tobias, postId, true);
  await setLike(world.site, world.tobias, postId, true);
  expect(await counted()).toEqual({ likesCount: 1, bookmarksCount: 0, likes: 1 });
  await setLike(world.site, world.tobias, postId, false);
  await setLike(world.site, world.tobias, postId, false);
  expect(await counted()).toEqual({ likesCount: 0, bookmarksCount: 0, likes: 0 });
});

test("the result has the current state, changed or not", async () => {
  const { site, tobias, maren } = world;
  await setLike(site, maren, postId, true);
  expect(await setLike(site, tobias, postId, true)).toEqual({ on: true, count: 2 });
  expect(await setLike(site, tobias, postId, true)).toEqual({ on: true, count: 2 });
  expect(await setLike(site, tobias, postId, false)).toEqual({ on: false, count: 1 });
  expect(await setBookmark(site, tobias, postId, false)).toEqual({ on: false, count: 0 });
});

test("the counter stays exact under concurrent changes", async () => {
  const { site, tobias, maren, ruth } = world;
  await Promise.all([tobias, maren, ruth, tobias, maren].map((person) => setLike(site, person, postId, true)));
  await Promise.all([setLike(site, maren, postId, false), setLike(site, maren, postId, false), setLike(site, ruth, postId, true)]);
  expect(await counted()).toEqual({ likesCount: 2, bookmarksCount: 0, likes: 2 });
});

test("bookmarks are counted apart", async () => {
  await setBookmark(world.site, world.tobias, postId, true);
  expect(await counted()).toEqual({ likesCount: 0, bookmarksCount: 1, likes: 0 });
});

test("only changes are published: the count to readers, the state to the member", async () => {
  const { site, tobias } = world;
  const received: [string, object][] = [];
  const own: [string, object][] = [];
  site.events.subscribe(`post:${postId}`, ({ type, data }) => received.push([type, data]));
  site.events.subscribe(`user:${tobias.id}`, ({ type, data }) => own.push([type, data]));
  await setLike(site, tobias, postId, true);
  await setLike(site, tobias, postId, true);
  await setLike(site, tobias, postId, false);
  await setBookmark(site, tobias, postId, true);
  await expect
    .poll(() => received)
    .toEqual([
      ["reaction.changed", { reaction: "likes", postId, count: 1 }],
      ["reaction.changed", { reaction: "likes", postId, count: 0 }],
      ["reaction.changed", { reaction: "bookmarks", postId, count: 1 }],
    ]);
  await expect
    .poll(() => own)
    .toEqual([
      ["reaction.changed", { reaction: "likes", postId, on: true, count: 1 }],
      ["reaction.changed", { reaction: "likes", postId, on: false, count: 0 }],
      ["reaction.changed", { reaction: "bookmarks", postId, on: true, count: 1 }],
    ]);
});

test("requires a sign-in, and others' drafts don't exist", async () => {
  await expect(setLike(world.site, null, postId, true)).rejects.toMatchObject({ code: "sign-in-required" });
  await world.site.db.updateTable("posts").set({ status: "inactive" }).where("id", "=", postId).execute();
  await expect(setLike(world.site, world.tobias, postId, true)).rejects.toMatchObject({ code: "not-found" });
  await setLike(world.site, world.maren, postId, true);
  expect((await counted()).likesCount).toBe(1);
});
