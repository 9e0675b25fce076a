import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newestMatches, newestOfAll, searchTerms } from "#platform/database/search/search.ts";
import { addPost } from "../../tests/support/posts.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

// Both engines must find the same, whether matching stories have near or distant numbers.

type TestPost = { number: number; text: string; status: "active" | "inactive" };

/** Some adjacent, others hundreds of thousands apart. */
const numbers = [1, 2, 3, 1_023, 1_024, 1_025, 2_047, 2_048, 16_383, 16_384, 40_000, 262_143, 262_144, 262_145, 700_000];
const near = Array.from({ length: 40 }, (_, index) => 699_000 + 3 * index);
const posts: TestPost[] = [...numbers, ...near].map((number, index) => ({
  number,
  text: ["everywhere", index % 2 ? "everyother" : "", index % 7 === 0 ? "seventh" : "", number === 3 ? "solitary" : ""].join(" "),
  status: index % 5 === 4 ? "inactive" : "active",
}));

let world: World;
beforeAll(async () => {
  world = await openWorld();
  for (const { number, text, status } of posts)
    await addPost(world, world.maren, { id: `story-${number}`, number, plainText: text, status });
});
afterAll(() => world.close());

test("searches in both directions, from any position, up to any number", async () => {
  const search = fc.constantFrom("everywhere", "everyother", "every", "seventh", "seventh everyother", "solitary", "nowhere", "maren sol");
  const place = fc.option(fc.oneof(fc.constantFrom(...numbers), fc.integer({ min: 0, max: 800_000 })), { nil: undefined });
  const walk = fc.record({ limit: fc.integer({ min: 1, max: 60 }), after: place, oldestFirst: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(search, walk, async (text, { limit, after, oldestFirst }) => {
      const { db, engine } = world.site;
      const { rows } = await newestMatches(engine, searchTerms(text), { limit, after, oldestFirst }).execute(db);
      const way = oldestFirst ? 1 : -1;
      const expected = holding(text)
        .filter(({ number, status }) => status === "active" && (after === undefined || (number - after) * way > 0))
        .map(({ number }) => number)
        .toSorted((a, b) => (a - b) * way);
      expect(rows.map(({ number }) => number)).toEqual(expected.slice(0, limit));
    }),
    { numRuns: propertyRuns(300) },
  );
});

test("includes drafts on request", async () => {
  const { db, engine } = world.site;
  const { rows } = await newestOfAll(engine, searchTerms("seventh"), 5).execute(db);
  const expected = holding("seventh").map(({ number }) => number);
  expect(rows.map(({ number }) => number)).toEqual(expected.toSorted((a, b) => b - a).slice(0, 5));
});

test.each([
  ["of one letter each, written with four bytes", (index: number) => `${String.fromCodePoint(0x20000 + index)}`],
  ["of two such letters", (index: number) => String.fromCodePoint(0x20000 + (index >> 8), 0x20000 + (index & 255))],
  ["of 64 letters", (index: number) => `${"語".repeat(59)}${10_000 + index}`],
  ["of no more than ten, none like another", (index: number) => `${(index * 7919).toString(36)}ö${index.toString(36)}`],
])("finds as many words as a story can have, %s", async (_what, word) => {
  const words = Array.from({ length: 30_000 }, (_, index) => word(index));
  const id = `long-${word(0)}`;
  await addPost(world, world.tobias, { id, number: 800_000, title: `Endless ${word(1)}`, plainText: words.join(" ") });
  for (const text of [word(5), `endless ${word(1)}`, `${word(1)} endl`]) {
    const { rows } = await newestMatches(world.site.engine, searchTerms(text), { limit: 1 }).execute(world.site.db);
    expect(rows, text).toHaveLength(1);
  }
  await world.site.db.deleteFrom("posts").where("id", "=", id).execute();
});

const holding = (text: string) =>
  posts.filter((post) => {
    const words = `${post.text} maren oduya`.split(" ");
    return text
      .split(" ")
      .every((word, index, { length }) => words.some((each) => (index === length - 1 ? each.startsWith(word) : each === word)));
  });
