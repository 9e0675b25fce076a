import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { sweepUnattached } from "../files/files.server.ts";
import { setLike } from "../reactions/reactions.server.ts";
import { createPost, deletePost, eraseDeleted } from "./posts.server.ts";

let world: World;
let id: string;
beforeEach(async () => {
  world = await openWorld();
  id = (await createPost(world.site, world.maren, { title: "A", slug: "a", content: "", status: "active" }, await picture())).id;
});
afterEach(() => world.close());

const rows = async () => {
  const count = async (table: "posts" | "files" | "likes") => (await world.site.db.selectFrom(table).selectAll().execute()).length;
  return { posts: await count("posts"), files: await count("files"), likes: await count("likes") };
};
const keptFiles = () => readdirSync(join(world.dataDir, "files")).length;

test("the author erases a story with its picture and reactions", async () => {
  await setLike(world.site, world.tobias, id, true);
  await deletePost(world.site, world.maren, id);
  expect(await rows()).toEqual({ posts: 0, files: 0, likes: 0 });
  expect(keptFiles()).toBe(0);
});

test("an administrator may delete it, others may not", async () => {
  await expect(deletePost(world.site, world.tobias, id)).rejects.toMatchObject({ code: "not-allowed" });
  await expect(deletePost(world.site, null, id)).rejects.toMatchObject({ code: "sign-in-required" });
  expect(await rows()).toEqual({ posts: 1, files: 1, likes: 0 });
  await deletePost(world.site, world.ruth, id);
  expect((await rows()).posts, "can be brought back").toBe(1);
  await eraseDeleted(world.site, world.ruth, id);
  expect((await rows()).posts).toBe(0);
});

test("two deletions at the same time are one decision", async () => {
  const ids = Array.from({ length: 8 }, (_, n) => `story-${n}`);
  const cover = await picture();
  for (const slug of ids) await createPost(world.site, world.maren, { title: slug, slug, content: "", status: "active" }, cover);
  for (const each of ids) await Promise.all(Array.from({ length: 4 }, () => deletePost(world.site, world.ruth, each)));
  const decisions = await world.site.db.selectFrom("moderation_actions").select("subject").where("kind", "=", "delete").execute();
  expect(decisions.map(({ subject }) => subject).toSorted()).toEqual(ids.map((each) => `post:${each}`));
});

test("another member's draft is not found", async () => {
  await world.site.db.updateTable("posts").set({ status: "inactive" }).execute();
  await expect(deletePost(world.site, world.tobias, id)).rejects.toMatchObject({ code: "not-found" });
});

test("a picture that can't be removed is swept later", async () => {
  const files = { ...world.site.files, deleteFolder: () => Promise.reject(new Error("the disk says no")) };
  await deletePost({ ...world.site, files }, world.maren, id);
  expect(await rows()).toEqual({ posts: 0, files: 1, likes: 0 });
  await sweepUnattached(world.site, world.site.now());
  expect(await rows()).toEqual({ posts: 0, files: 0, likes: 0 });
  expect(keptFiles()).toBe(0);
});
