import type { Insertable } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PostRow } from "#platform/database/schema.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { findProfile } from "./profile-reads.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

let written = 0;

async function write(by: { id: string; name: string }, chosen: Partial<Insertable<PostRow>> = {}) {
  const id = `story-${written++}`;
  const now = world.site.now();
  const texts = { title: "A story", content: "", markdown: "", summary: "", plainText: "", words: 0 };
  const counts = { views: 0, likesCount: 0, bookmarksCount: 0 };
  const flags = { status: "active" as const, featured: false, pinned: false, featuredImage: null };
  const post = {
    id,
    userId: by.id,
    userName: by.name,
    ...texts,
    ...counts,
    ...flags,
    publishedAt: now,
    createdAt: now,
    updatedAt: now,
    ...chosen,
  };
  await world.site.db.insertInto("posts").values(post).execute();
}

describe("a profile", () => {
  test("counts published stories and their likes", async () => {
    await write(world.maren, { likesCount: 3 });
    await write(world.maren, { likesCount: 4 });
    await write(world.maren, { likesCount: 5, status: "inactive" });
    await write(world.tobias, { likesCount: 6 });
    const { name, postsCount, likesReceived, joinedAt } = await findProfile(world.site, world.maren.id);
    expect({ name, postsCount, likesReceived }).toEqual({ name: "Maren Oduya", postsCount: 2, likesReceived: 7 });
    expect(Number.isNaN(joinedAt)).toBe(false);
  });

  test("is empty for an account without one", async () => {
    const hana = await addMember(world, "Hana Novák");
    await world.site.db.deleteFrom("profiles").where("userId", "=", hana.id).execute();
    expect(await findProfile(world.site, hana.id)).toMatchObject({
      name: "Hana Novák",
      bio: "",
      linkedIn: "",
      profileImage: null,
      postsCount: 0,
      likesReceived: 0,
    });
  });

  test("is not found for an unknown member", async () => {
    await expect(findProfile(world.site, "nobody")).rejects.toMatchObject({ code: "not-found" });
  });
});
