import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unreadMessages } from "#domain/messages/conversations.server.ts";
import { listLatest, listMarked, readAllPosts } from "#domain/posts/post-reads.server.ts";
import type { Site } from "#domain/site.ts";
import { fillSite } from "../../tests/support/fill-site.ts";
import { planOf, unboundedSteps, updateStatistics, watchQueries } from "../../tests/support/queries.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { listTrending, type PostListPage } from "./lists.server.ts";
import { type ListSort, postSorts } from "./post-sorts.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await fillSite(world);
  await updateStatistics(world.site);
});
afterAll(() => world.close());

type Plan = { query: string; steps: string[] };

async function plansOf(read: (site: Site) => Promise<unknown>): Promise<Plan[]> {
  const { site, queries } = watchQueries(world.site);
  await read(site);
  return Promise.all(queries.map(async (query) => ({ query: query.sql, steps: await planOf(world.site, query) })));
}

const growing = (plans: Plan[]) =>
  plans.flatMap(({ query, steps }) => unboundedSteps(steps).map((step) => `${step}\n  in ${query}\n  ${steps.join("\n  ")}`));

const list =
  (sort: ListSort, search = "") =>
  (site: Site, after: string | null) =>
    readAllPosts(site, { limit: 12, sort: sort === "best" ? null : sort, search, after });

const lists: [string, (site: Site, after: string | null) => Promise<PostListPage>][] = [
  ...postSorts.map((sort): [string, ReturnType<typeof list>] => [`all stories, ${sort}`, list(sort)]),
  ["the newest of the site", (site, after) => listLatest(site, { limit: 12, after })],
  ["the newest of one author", (site, after) => listLatest(site, { limit: 12, after, authorId: "member-7" })],
];

describe("lists use indexes on the first and later pages", () => {
  test.each(lists)("%s", async (_name, read) => {
    const first = await read(world.site, null);
    expect(first.next).not.toBeNull();
    expect(growing(await plansOf((site) => read(site, null)))).toEqual([]);
    const later = await plansOf((site) => read(site, first.next));
    expect(growing(later)).toEqual([]);
    // The index finds the start of the page, and nothing before it is read.
    const beginsThere = /,number\)<\(\?,\?\)|=\? AND (publishedAt|searchTitle|searchAuthor)[<>]\?|Index Cond: .*ROW\(.*[<>] ROW\(/;
    expect(later.flatMap(({ steps }) => steps).filter((step) => beginsThere.test(step))).toHaveLength(1);
  });

  test("the newest stories are read by their status, as PostgreSQL sorts the missing dates of drafts first", async () => {
    for (const read of [(site: Site) => list("newest")(site, null), (site: Site) => listLatest(site, { limit: 12 })]) {
      const plans = JSON.stringify(await plansOf(read));
      expect(plans).toContain("posts_newest");
      expect(plans).not.toContain("posts_age");
    }
  });

  test.each([
    ["featured stories", (site: Site) => listMarked(site, "featured", 6), "posts_featured"],
    ["pinned stories", (site: Site) => listMarked(site, "pinned", 3), "posts_pinned"],
    ["unread messages", (site: Site) => sql`select ${unreadMessages(world.maren.id)}`.execute(site.db), "participants_unread"],
  ])("%s", async (_name, read, index) => {
    const plans = await plansOf(read);
    expect(growing(plans)).toEqual([]);
    expect(JSON.stringify(plans)).toContain(index);
  });
});

describe("sorts only the limited number of rows that it has read", () => {
  const bounded: [string, (site: Site) => Promise<PostListPage>][] = [
    ["trending on the home page", (site) => listTrending(site, { limit: 12 })],
    ...[...postSorts, "best" as const].flatMap((sort): [string, (site: Site) => Promise<PostListPage>][] => [
      [`a search for a common word, ${sort}`, (site) => list(sort, "everywhere")(site, null)],
      [`a search for a rare word, ${sort}`, (site) => list(sort, "somewhere")(site, null)],
    ]),
  ];
  const sorting = /TEMP B-TREE|\bSort\b/;
  test.each(bounded)("%s", async (_name, read) => {
    const plans = await plansOf(read);
    expect((await read(world.site)).posts).toHaveLength(12);
    expect(growing(plans).filter((step) => !sorting.test(step))).toEqual([]);
  });
});
