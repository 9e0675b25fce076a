import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listAudit } from "#domain/audit/audit.server.ts";
import { listMarked } from "#domain/posts/post-reads.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { picture } from "../../../tests/support/pictures.ts";
import { openWorld, type World } from "../../../tests/support/world.ts";
import { adjustLikes, setViews } from "./adjust-counts.server.ts";
import { curatePost } from "./moderation.server.ts";

let world: World;
let id: string;
beforeEach(async () => {
  world = await openWorld();
  const post = { title: "Night Bus", slug: "night-bus", content: "", status: "active" } as const;
  id = (await createPost(world.site, world.maren, post, await picture())).id;
});
afterEach(() => world.close());

const log = async () =>
  (await listAudit(world.site, world.ruth, { limit: 50, subject: `post:${id}` })).entries.map(({ action, before, after }) => ({
    action,
    before,
    after,
  }));

describe("featuring and pinning", () => {
  test("a story is featured and pinned independently, and both are audited", async () => {
    await curatePost(world.site, world.ruth, id, { featured: true });
    await curatePost(world.site, world.ruth, id, { pinned: true });
    await curatePost(world.site, world.ruth, id, { featured: false });
    expect(await listMarked(world.site, "featured", 5)).toEqual([]);
    expect((await listMarked(world.site, "pinned", 5)).map((post) => post.id)).toEqual([id]);
    const after = { title: "Night Bus" };
    expect(await log()).toEqual([
      { action: "post.unfeatured", before: null, after },
      { action: "post.pinned", before: null, after },
      { action: "post.featured", before: null, after },
    ]);
  });

  test("the API does the same, and sets views", async () => {
    await curatePost(world.site, world.ruth, id, { featured: true, views: 7 });
    await curatePost(world.site, world.ruth, id, { featured: true, views: 7 });
    expect((await log()).map(({ action }) => action)).toEqual(["post.views-set", "post.featured"]);
  });

  test("is idempotent", async () => {
    await curatePost(world.site, world.ruth, id, { pinned: true });
    await curatePost(world.site, world.ruth, id, { pinned: true });
    expect(await log()).toHaveLength(1);
  });
});

describe("is for administrators only, not for the author", () => {
  const verbs = {
    setFeatured: () => curatePost(world.site, world.maren, id, { featured: true }),
    setPinned: () => curatePost(world.site, world.maren, id, { pinned: true }),
    adjustLikes: () => adjustLikes(world.site, world.maren, id, 5),
    setViews: () => setViews(world.site, world.maren, id, 5),
  };
  test.each(Object.keys(verbs) as (keyof typeof verbs)[])("%s", async (verb) => {
    await expect(verbs[verb]()).rejects.toMatchObject({ code: "not-allowed" });
    expect(await log()).toEqual([]);
  });

  test("an unknown story is not found", async () => {
    await expect(curatePost(world.site, world.ruth, "nowhere", { featured: true })).rejects.toMatchObject({ code: "not-found" });
  });
});
