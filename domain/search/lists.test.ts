import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readAllPosts } from "#domain/posts/post-reads.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import type { Site } from "#domain/site.ts";
import { addPost } from "../../tests/support/posts.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { listPosts, listTrending, type PostListPage } from "./lists.server.ts";
import { type PostSort, postSorts } from "./post-sorts.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const hour = 60 * 60 * 1000;
const day = 24 * hour;
type ReadPage = (site: Site, after: string | null) => Promise<PostListPage>;

/** The titles on each page of a list. */
async function pages(read: ReadPage): Promise<string[][]> {
  const seen: string[][] = [];
  let after: string | null = null;
  do {
    const page: PostListPage = await read(world.site, after);
    seen.push(page.posts.map(({ title }) => title));
    after = page.next;
  } while (after);
  return seen;
}

const all = async (read: ReadPage) => (await pages(read)).flat();
const sorted =
  (sort: PostSort, limit = 12): ReadPage =>
  (site, after) =>
    listPosts(site, { sort, limit, after });

/** Each an hour after the one before. */
async function write(posts: Record<string, { views?: number; likesCount?: number; by?: string; status?: "active" | "inactive" }>) {
  for (const [title, { by, ...rest }] of Object.entries(posts)) {
    world.clock.advance(hour);
    const author = by ? { ...world.tobias, name: by } : world.maren;
    await addPost(world, author, { id: title.toLowerCase().replaceAll(" ", "-"), title, ...rest });
  }
}

describe("all stories can be sorted (specification §2, All stories page)", () => {
  beforeEach(() =>
    write({
      "The heron": { views: 10, likesCount: 3 },
      "a bridge": { views: 12, likesCount: 0, by: "aart Zee" },
      Éclair: { views: 1, likesCount: 9, by: "Zora Lund" },
      "Kept back": { views: 1000, likesCount: 1000, status: "inactive" },
      Bread: { views: 11, likesCount: 1, by: "Bo Ek" },
    }),
  );
  test.each<[PostSort, string, string[]]>([
    ["newest", "newest first", ["Bread", "Éclair", "a bridge", "The heron"]],
    ["oldest", "oldest first", ["The heron", "a bridge", "Éclair", "Bread"]],
    ["trending", "by views + 2 x likes (§9)", ["Éclair", "The heron", "Bread", "a bridge"]],
    ["views", "by views", ["a bridge", "Bread", "The heron", "Éclair"]],
    ["likes", "by likes", ["Éclair", "The heron", "Bread", "a bridge"]],
    ["title", "by title A-Z, whatever the case and the accents", ["a bridge", "Bread", "Éclair", "The heron"]],
    ["author", "by author A-Z", ["a bridge", "Bread", "The heron", "Éclair"]],
  ])("%s: %s, drafts apart", async (sort, _how, expected) => {
    expect(await all(sorted(sort))).toEqual(expected);
    expect(await pages(sorted(sort, 1))).toEqual(expected.map((title) => [title]));
  });
});

test("each order lists each story once, for any figures", async () => {
  const figure = fc.nat(3);
  const post = fc.record({ views: figure, likesCount: figure, title: fc.constantFrom("A", "B", "C"), createdAt: fc.nat(3) });
  let named = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(post, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (posts, limit) => {
      await world.site.db.deleteFrom("posts").execute();
      for (const each of posts) await addPost(world, world.maren, { id: `s${named++}`, ...each });
      for (const sort of postSorts) {
        const read =
          (size: number): ReadPage =>
          (site, after) =>
            listPosts(site, { sort, limit: size, after });
        const ids: string[] = [];
        let after: string | null = null;
        do {
          const page: PostListPage = await read(limit)(world.site, after);
          ids.push(...page.posts.map(({ id }) => id));
          after = page.next;
        } while (after);
        const whole = (await read(100)(world.site, null)).posts.map(({ id }) => id);
        expect(ids).toEqual(whole);
        expect(new Set(ids).size).toBe(posts.length);
      }
    }),
    { numRuns: propertyRuns(30) },
  );
});

test("a story whose likes change between pages hides no other", async () => {
  await write({
    One: { likesCount: 5 },
    Two: { likesCount: 4 },
    Three: { likesCount: 3 },
    Four: { likesCount: 2 },
    Five: { likesCount: 1 },
  });
  const first = await sorted("likes", 2)(world.site, null);
  expect(first.posts.map(({ title }) => title)).toEqual(["One", "Two"]);
  await world.site.db.updateTable("posts").set({ likesCount: 9 }).where("title", "=", "Four").execute(); // Up, to a page already seen.
  await world.site.db.updateTable("posts").set({ likesCount: 2 }).where("title", "=", "One").execute(); // Down, to one still to come.
  const rest = await all((site, after) => sorted("likes", 2)(site, after ?? first.next));
  expect(rest).toEqual(["Three", "One", "Five"]);
});

test("publishing, hiding and deleting a story affects all orders at once", async () => {
  await write({ Here: {}, Gone: {} });
  await world.site.db.updateTable("posts").set({ status: "inactive" }).where("title", "=", "Gone").execute();
  for (const sort of postSorts) expect(await all(sorted(sort))).toEqual(["Here"]);
  await world.site.db.updateTable("posts").set({ status: "active", views: 3 }).where("title", "=", "Gone").execute();
  for (const sort of postSorts) expect((await all(sorted(sort))).toSorted()).toEqual(["Gone", "Here"]);
  await world.site.db.deleteFrom("posts").where("title", "=", "Here").execute();
  for (const sort of postSorts) expect(await all(sorted(sort))).toEqual(["Gone"]);
});

test.each(["", "1", "1.", "1.x", "x.1", "1.1 or 1=1", "9".repeat(40), "-1.-1", "1.\0"])(
  "a cursor that makes no sense (%j) begins again, or ends",
  async (after) => {
    await write({ One: {} });
    for (const sort of postSorts) expect((await sorted(sort)(world.site, after)).posts.length).toBeLessThan(2);
    expect((await sorted("newest")(world.site, "nonsense")).posts).toHaveLength(1);
  },
);

describe("trending on the home page", () => {
  const trending: ReadPage = (site, after) => listTrending(site, { limit: 2, after });

  test("is posts of the last 7 days by views + 2 x likes (§9)", async () => {
    await write({ "Too old": { views: 1000 } });
    world.clock.advance(7 * day - 3 * hour);
    await write({
      Viewed: { views: 5 },
      Liked: { likesCount: 3 },
      Both: { views: 3, likesCount: 2 },
      Neither: {},
      Draft: { views: 99, status: "inactive" },
    });
    expect(await all(trending)).toEqual(["Both", "Liked", "Viewed", "Neither"]);
  });

  test("counts the seven days by the hour, not by the calendar", async () => {
    await write({ "Just inside": { views: 1 } });
    world.clock.advance(7 * day);
    expect(await all(trending)).toEqual(["Just inside"]);
    world.clock.advance(1);
    expect(await all(trending)).toEqual([]);
  });

  test("rises with a like", async () => {
    await write({ One: { views: 1 }, Two: { views: 2 } });
    await setLike(world.site, world.tobias, "one", true);
    expect(await all(trending)).toEqual(["One", "Two"]);
  });

  test("can be searched", async () => {
    await write({ "Night bus": { views: 1 }, "Night train": { views: 2 }, Morning: { views: 9 } });
    expect((await listTrending(world.site, { limit: 5, search: "night" })).posts.map(({ title }) => title)).toEqual([
      "Night train",
      "Night bus",
    ]);
  });
});

describe("the listing of all stories", () => {
  const read =
    (search: string, sort: string | null = null): ReadPage =>
    (site, after) =>
      readAllPosts(site, { limit: 1, after, search, sort });
  beforeEach(() =>
    write({
      "A snow globe": { views: 1, likesCount: 2 },
      Rain: { views: 7, by: "Snow White" },
      "Snow on the line": { views: 3 },
      Fog: { views: 9, status: "inactive" },
    }),
  );

  test("has the totals of all stories, views, likes and writers", async () => {
    const stats = { posts: 3, views: 11, likes: 2, writers: 2 };
    expect(await readAllPosts(world.site, { limit: 1, search: "", sort: null })).toMatchObject({
      stats,
      matches: null,
      sort: "newest",
    });
    expect(await readAllPosts(world.site, { limit: 1, search: "snow", sort: null })).toMatchObject({ stats, matches: 3, sort: "best" });
    expect(await readAllPosts(world.site, { limit: 1, search: "nowhere", sort: null })).toMatchObject({ stats, matches: 0, posts: [] });
  });
  test("is newest first by default and for an unknown order", async () => {
    for (const sort of [null, "newest", "sideways", "best"])
      expect(await all(read("", sort))).toEqual(["Snow on the line", "Rain", "A snow globe"]);
  });
  test("lists the best matches first", async () => {
    expect(await pages(read("snow"))).toEqual([["Snow on the line"], ["A snow globe"], ["Rain"]]);
  });
  test.each<[PostSort, string[]]>([
    ["newest", ["Snow on the line", "Rain", "A snow globe"]],
    ["oldest", ["A snow globe", "Rain", "Snow on the line"]],
    ["views", ["Rain", "Snow on the line", "A snow globe"]],
    ["likes", ["A snow globe", "Snow on the line", "Rain"]],
    ["trending", ["Rain", "A snow globe", "Snow on the line"]],
    ["title", ["A snow globe", "Rain", "Snow on the line"]],
    ["author", ["A snow globe", "Snow on the line", "Rain"]],
  ])("sorts what a search finds: %s", async (sort, expected) => {
    expect(await pages(read("snow", sort))).toEqual(expected.map((title) => [title]));
  });
  test("corrects typos on every page", async () => {
    expect(await pages(read("snoww"))).toEqual([["Snow on the line"], ["A snow globe"], ["Rain"]]);
  });
  test("lists everything for a search without words", async () => {
    expect(await all(read("?!"))).toHaveLength(3);
  });
  test("finds a story by its author's new name", async () => {
    const una = await addMember(world, "Una Vesper");
    await addPost(world, una, { id: "dusk", title: "Dusk" });
    expect(await all(read("vesper"))).toEqual(["Dusk"]);
  });
});

test("a search with more matches than are counted begins with matches in the title", async () => {
  const kinds = {
    "The lighthouse": 30,
    "The lighthousing": 15,
    "A lighthouse": 5,
    Elsewhere: 210,
  };
  const titles = Object.entries(kinds).flatMap(([title, count]) => Array.from({ length: count }, (_, index) => `${title} ${index}`));
  for (const title of titles)
    await addPost(world, world.maren, { id: title.toLowerCase().replaceAll(" ", "-"), title, plainText: "By the lighthouse." });
  const found = await pages((site, after) => readAllPosts(site, { limit: 12, after, search: "the lighthouse", sort: null }));
  const newestFirst = (title: keyof typeof kinds) => titles.filter((each) => each.startsWith(`${title} `)).reverse();
  const expected = [...newestFirst("The lighthouse"), ...newestFirst("A lighthouse"), ...newestFirst("The lighthousing")];
  expect(found.flat().slice(0, 50)).toEqual(expected);
  expect(found.slice(0, 4).map(({ length }) => length)).toEqual([12, 12, 12, 12]);
  expect(new Set(found.flat()).size).toBe(found.flat().length);
});
