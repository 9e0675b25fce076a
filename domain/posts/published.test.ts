import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { authorFeed, siteFeed } from "#domain/feeds/feeds.server.ts";
import { listFollowedPosts } from "#domain/follows/following-feed.server.ts";
import { setFollow } from "#domain/follows/follows.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { listPosts, listSearchResults, listTrending } from "#domain/search/lists.server.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { expectExactCounters } from "../../tests/support/rows.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { moderatePosts } from "../moderation/posts/moderate-many.server.ts";
import { undoModerationAction } from "../moderation/undo.server.ts";
import { saveRule, setRuleEnabled } from "../rules/rules.server.ts";
import type { Site } from "../site.ts";
import { listLatest, listOwnPosts, readPost } from "./post-reads.server.ts";
import { createPost, deletePost } from "./posts.server.ts";
import { readForEditing, setPostStatus, updatePost } from "./update-post.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const day = 24 * 60 * 60_000;
const input = (slug: string, status: "active" | "inactive", content = "Heather, rain") => ({ title: "Moor", slug, content, status });

async function dateOf(id: string): Promise<number | null> {
  return (await world.site.db.selectFrom("posts").select("publishedAt").where("id", "=", id).executeTakeFirstOrThrow()).publishedAt;
}

async function save(id: string, status: "active" | "inactive"): Promise<void> {
  const { version } = await readForEditing(world.site, world.maren, id);
  await updatePost(world.site, world.maren, id, { title: "Moor", content: "Fog", status }, { version });
}

async function newestAction(): Promise<string> {
  const actions = world.site.db.selectFrom("moderation_actions").select("id").orderBy("number", "desc").limit(1);
  return (await actions.executeTakeFirstOrThrow()).id;
}

async function holdWhatHasLinks(): Promise<void> {
  const { site, ruth } = world;
  const conditions = [{ kind: "links" as const, more: 0 }];
  await setRuleEnabled(site, ruth, await saveRule(site, ruth, undefined, { conditions, outcome: "hold", message: "" }), true);
}

describe("a story gets its date when it is first public", () => {
  const ways: [string, () => Promise<unknown>][] = [
    ["by its author's button", () => setPostStatus(world.site, world.maren, "moor", "active")],
    ["by the form", () => save("moor", "active")],
    ["by an administrator", () => setPostStatus(world.site, world.ruth, "moor", "active")],
    ["among many at once", () => moderatePosts(world.site, world.ruth, ["moor"], "publish")],
  ];
  test.each(ways)("%s", async (_way, publish) => {
    const { site, maren, clock } = world;
    await createPost(site, maren, input("moor", "inactive"), await picture());
    expect(await dateOf("moor")).toBeNull();
    clock.advance(3 * day);
    await publish();
    expect(await dateOf("moor")).toBe(site.now());
    expect(await readPost(site, null, "moor")).toMatchObject({ publishedAt: site.now(), updatedAt: site.now() });
    await expectExactCounters(site);
  });

  test("at once if it is created as published", async () => {
    const { site, maren } = world;
    await createPost(site, maren, input("moor", "active"), await picture());
    const row = await site.db.selectFrom("posts").select(["publishedAt", "createdAt", "updatedAt"]).executeTakeFirstOrThrow();
    expect({ ...row }).toEqual({ publishedAt: site.now(), createdAt: site.now(), updatedAt: site.now() });
  });

  test("when it is released, if a rule held it first", async () => {
    const { site, ruth, clock } = world;
    await holdWhatHasLinks();
    const newcomer = await addMember(world, "Newcomer");
    const lamps = input("lamps", "active", "[a](https://lamps.example)");
    expect(await createPost(site, newcomer, lamps, await picture())).toEqual({ id: "lamps", held: true });
    expect(await dateOf("lamps")).toBeNull();
    clock.advance(2 * day);
    await undoModerationAction(site, ruth, await newestAction());
    expect(await dateOf("lamps")).toBe(site.now());
    await expectExactCounters(site);
  });
});

describe("the date stays", () => {
  const ways: [string, () => Promise<unknown>][] = [
    ["when it is unpublished and published again", () => setPostStatus(world.site, world.maren, "moor", "inactive")],
    ["when it is saved as a draft and published again", () => save("moor", "inactive")],
    ["when it is held and released", () => holdPost(world.site, world.ruth, "moor", {})],
    ["when it is deleted by an administrator and brought back", () => deletePost(world.site, world.ruth, "moor")],
  ];
  test.each(ways)("%s", async (_way, hide) => {
    const { site, maren, ruth, clock } = world;
    await createPost(site, maren, input("moor", "active"), await picture());
    const first = site.now();
    clock.advance(day);
    await addPost(world, maren, { id: "later" });
    await hide();
    expect(await dateOf("moor")).toBe(first);
    clock.advance(day);
    await setPostStatus(site, ruth, "moor", "active");
    expect(await dateOf("moor")).toBe(first);
    expect((await listPosts(site, { sort: "newest", limit: 9 })).posts.map(({ id }) => id)).toEqual(["later", "moor"]);
    await expectExactCounters(site);
  });
});

describe("an old draft that is published today is the newest", () => {
  const terms = { text: "moor", limit: 9 };
  const lists: [string, (site: Site) => Promise<{ posts: { id: string }[] } | undefined>, string[]][] = [
    ["of all stories", (site) => listPosts(site, { sort: "newest", limit: 9 }), ["old-draft", "b", "a"]],
    ["and last of the oldest", (site) => listPosts(site, { sort: "oldest", limit: 9 }), ["a", "b", "old-draft"]],
    ["in Latest", (site) => listLatest(site, { limit: 9 }), ["old-draft", "b", "a"]],
    ["on its author's profile", (site) => listLatest(site, { limit: 9, authorId: world.maren.id }), ["old-draft", "b", "a"]],
    ["for followers", (site) => listFollowedPosts(site, world.tobias, { limit: 9 }), ["old-draft", "b", "a"]],
    ["for followers who search", (site) => listFollowedPosts(site, world.tobias, { limit: 9, search: "moor" }), ["old-draft", "b", "a"]],
    ["in a search by date", (site) => listSearchResults(site, { ...terms, sort: "newest" }), ["old-draft", "b", "a"]],
    ["and last in a search for the oldest", (site) => listSearchResults(site, { ...terms, sort: "oldest" }), ["a", "b", "old-draft"]],
    ["among equals in a search", (site) => listSearchResults(site, { ...terms, sort: "best" }), ["old-draft", "b", "a"]],
    ["and is trending, where what is older than a week isn't", (site) => listTrending(site, { limit: 9 }), ["old-draft", "b"]],
    ["and found among what is trending", (site) => listTrending(site, { limit: 9, search: "moor" }), ["old-draft", "b"]],
  ];
  beforeEach(async () => {
    const { site, maren, tobias, clock } = world;
    await setFollow(site, tobias, { userId: maren.id, following: true });
    await addPost(world, maren, { id: "old-draft", title: "Moor", status: "inactive" });
    clock.advance(1000);
    await addPost(world, maren, { id: "a", title: "Moor" });
    clock.advance(8 * day);
    await addPost(world, maren, { id: "b", title: "Moor" });
    clock.advance(day);
    await setPostStatus(site, maren, "old-draft", "active");
  });

  test.each(lists)("%s", async (_list, read, ids) => {
    expect((await read(world.site))?.posts.map(({ id }) => id)).toEqual(ids);
  });

  test("page by page", async () => {
    const { site } = world;
    const seen: string[] = [];
    for (let after: string | null = null; ; ) {
      const { posts, next }: Awaited<ReturnType<typeof listPosts>> = await listPosts(site, { sort: "newest", limit: 1, after });
      seen.push(...posts.map(({ id }) => id));
      if (!next) break;
      after = next;
    }
    expect(seen).toEqual(["old-draft", "b", "a"]);
  });

  test("in the feeds, with that date", async () => {
    const { site, maren } = world;
    for (const feed of [await siteFeed(site), await authorFeed(site, maren.id)]) {
      const dates = [...(await feed.write()).matchAll(/<pubDate>(.+?)<\/pubDate>/g)].map(([, date]) => Date.parse(date ?? ""));
      expect(dates[0]).toBe(Math.floor(site.now() / 1000) * 1000);
      expect(feed.modifiedAt).toBe(site.now());
      expect(dates).toEqual(dates.toSorted((one, other) => other - one));
    }
  });

  test("but is listed by creation for its author", async () => {
    const { site, maren } = world;
    expect((await listOwnPosts(site, maren, { limit: 9 })).posts.map(({ id }) => id)).toEqual(["b", "a", "old-draft"]);
  });
});
