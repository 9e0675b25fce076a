import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Member } from "#domain/site.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { watchQueries } from "../../tests/support/queries.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { listFollowedPosts } from "./following-feed.server.ts";

let world: World;
let reader: Member;
beforeAll(async () => {
  world = await openWorld();
  reader = await addMember(world, "Rea Reader");
});
afterAll(() => world.close());

let written = 0;
async function write(by: { id: string }, times: { publishedAt: number; status?: "active" | "inactive" }[]) {
  const texts = { userName: "Somebody", title: "A story", content: "", markdown: "", summary: "", plainText: "", words: 0 };
  const rest = {
    featuredImage: null,
    featured: false,
    pinned: false,
    views: 0,
    likesCount: 0,
    bookmarksCount: 0,
    createdAt: 1,
    updatedAt: 1,
  };
  const rows = times.map((each) => ({ id: `story-${written++}`, userId: by.id, status: "active" as const, ...texts, ...rest, ...each }));
  for (let at = 0; at < rows.length; at += 500)
    await world.site.db
      .insertInto("posts")
      .values(rows.slice(at, at + 500))
      .execute();
}

const followAll = async (ids: string[]) => {
  await world.site.db.deleteFrom("follows").where("followerId", "=", reader.id).execute();
  const rows = ids.map((followedId) => ({ followerId: reader.id, followedId, createdAt: 1 }));
  for (let at = 0; at < rows.length; at += 500)
    await world.site.db
      .insertInto("follows")
      .values(rows.slice(at, at + 500))
      .execute();
};

async function everyPage(limit: number): Promise<string[]> {
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page = await listFollowedPosts(world.site, reader, { limit, after });
    seen.push(...page.posts.map(({ id }) => id));
    after = page.next;
  } while (after);
  return seen;
}

async function expected(ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await world.site.db
    .selectFrom("posts")
    .select("id")
    .where("status", "=", "active")
    .where("userId", "in", ids)
    .orderBy("publishedAt", "desc")
    .orderBy("number", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

describe("the following feed", () => {
  test("is empty without follows, and requires a sign-in", async () => {
    await followAll([]);
    expect(await listFollowedPosts(world.site, reader, { limit: 12 })).toEqual({ posts: [], next: null });
    await expect(listFollowedPosts(world.site, null, { limit: 12 })).rejects.toMatchObject({ code: "sign-in-required" });
  });

  test("has every story once across pages, newest first", async () => {
    const authors = await Promise.all(Array.from({ length: 6 }, (_, index) => addMember(world, `Author ${index} ${written}`)));
    const status = fc.constantFrom("active" as const, "active" as const, "inactive" as const);
    const post = fc.record({ author: fc.nat(5), publishedAt: fc.integer({ min: 1, max: 8 }), status });
    await fc.assert(
      fc.asyncProperty(
        fc.array(post, { maxLength: 40 }),
        fc.subarray([0, 1, 2, 3, 4, 5]),
        fc.integer({ min: 1, max: 5 }),
        async (posts, followed, limit) => {
          await world.site.db.deleteFrom("posts").execute();
          for (const { author, ...each } of posts) await write(authors[author] as Member, [each]);
          const ids = followed.map((index) => (authors[index] as Member).id);
          await followAll(ids);
          expect(await everyPage(limit)).toEqual(await expected(ids));
        },
      ),
      { numRuns: propertyRuns(25) },
    );
  });

  test("takes three queries with a thousand follows and two thousand stories", async () => {
    await world.site.db.deleteFrom("posts").execute();
    const date = new Date(0).toISOString();
    const users = Array.from({ length: 1000 }, (_, index) => ({ id: `followed-${index}`, name: "F", email: `f${index}@example.com` }));
    const rows = users.map((user) => ({ ...user, emailVerified: true, image: null, createdAt: date, updatedAt: date }));
    for (let at = 0; at < rows.length; at += 250)
      await world.site.db
        .insertInto("users")
        .values(rows.slice(at, at + 250))
        .execute();
    // An author without followers has the latest stories.
    await write(
      world.maren,
      Array.from({ length: 1000 }, (_, index) => ({ publishedAt: 1_000_000 + index })),
    );
    await write(
      { id: "followed-7" },
      Array.from({ length: 1000 }, (_, index) => ({ publishedAt: 1000 + index })),
    );
    for (let index = 0; index < 1000; index += 10) await write({ id: `followed-${index}` }, [{ publishedAt: index }]);
    await followAll(users.map(({ id }) => id));
    const reads = await countReads(() => listFollowedPosts(world.site, reader, { limit: 12 }));
    expect(reads).toBe(3);
    const { posts, next } = await listFollowedPosts(world.site, reader, { limit: 12 });
    expect(posts.map(({ publishedAt }) => publishedAt)).toEqual(Array.from({ length: 12 }, (_, index) => 1999 - index));
    expect(next).not.toBeNull();
  });
});

async function countReads(work: () => Promise<unknown>): Promise<number> {
  const { site } = world;
  const { site: watched, queries } = watchQueries(site);
  world.site = watched;
  await work();
  world.site = site;
  return queries.length;
}
