import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Site } from "#domain/site.ts";
import { fillSite } from "../../tests/support/fill-site.ts";
import { addPost } from "../../tests/support/posts.ts";
import { planOf, unboundedSteps, updateStatistics, watchQueries } from "../../tests/support/queries.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { listReadNext } from "./read-next.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const idsAfter = async (post: { id: string; userId: string; title: string }) => (await listReadNext(world.site, post)).map(({ id }) => id);

describe("what to read next", () => {
  test("lists the author's stories, then those that share words with the title, never drafts or the story itself", async () => {
    const { maren, ruth } = world;
    await addPost(world, ruth, { id: "harbour", title: "The harbour wall" });
    await addPost(world, ruth, { id: "lantern-harbour", title: "A lantern over the harbour" });
    await addPost(world, ruth, { id: "lantern-draft", title: "Lantern harbour, unfinished", status: "inactive" });
    await addPost(world, ruth, { id: "bread", title: "Bread" });
    const post = await addPost(world, maren, { id: "own", title: "The lantern of the harbour" });
    const after = { id: "own", userId: maren.id, title: "The lantern of the harbour" };
    expect(post).toBeDefined();
    expect(await idsAfter(after)).toEqual(["lantern-harbour", "harbour"]);

    for (const number of [1, 2, 3]) await addPost(world, maren, { id: `own-${number}`, title: `Something else ${number}` });
    expect(await idsAfter(after)).toEqual(["own-3", "own-2", "lantern-harbour"]);
  });

  test("is empty if there is neither", async () => {
    for (const title of ["", "!?", "a b c", "日記"]) expect(await idsAfter({ id: "x", userId: "nobody", title })).toEqual([]);
  });

  test("costs the same for any number of stories", async () => {
    await fillSite(world);
    await updateStatistics(world.site);
    const { site, queries } = watchQueries(world.site);
    await listReadNext(site as Site, { id: "own", userId: "member-7", title: "The lantern of the harbour wall" });
    expect(queries).toHaveLength(2);
    const plans = await Promise.all(queries.map((query) => planOf(world.site, query)));
    // Only the newest matches of each word are counted and sorted.
    expect(plans.flatMap((steps) => unboundedSteps(steps)).filter((step) => !/TEMP B-TREE|Sort|Aggregate/.test(step))).toEqual([]);
  });
});
