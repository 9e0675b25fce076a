import { type KyselyPlugin, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "#platform/database/open.ts";
import { FetchError } from "#platform/fetch/fetcher.ts";
import { picture } from "../../tests/support/pictures.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { finishDeletions } from "../account-deletion/cleanups.server.ts";
import { renameAccountAndProfile } from "../accounts/changes.server.ts";
import { storeFeaturedPicture } from "../files/post-files.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { updatePost } from "../posts/update-post.server.ts";
import { updateProfile } from "../profiles/profiles.server.ts";
import type { Site } from "../site.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const post = { title: "Night Bus", slug: "night-bus", content: "It hums.", status: "active" } as const;
const withPicture = { ...post, content: "![lamp](https://pictures.example/lamp.png)" };
const rename = () => renameAccountAndProfile(world.site, world.maren, "Marit Brandvold");

/** The author is renamed while the story's picture is fetched. */
const renaming = (): Site => ({
  ...world.site,
  fetcher: async () => {
    await rename();
    throw new FetchError("not found");
  },
});

async function expectNewName() {
  const { db } = world.site;
  expect(await db.selectFrom("posts").select("searchAuthor").execute()).toEqual([{ searchAuthor: "marit brandvold" }]);
  const names = db.selectFrom("search_words").select("word").where("word", "in", ["oduya", "brandvold"]);
  expect(await names.execute()).toEqual([{ word: "brandvold" }]);
}

test("a new story is found by its author’s current name if they were renamed while it was sent", async () => {
  await createPost(renaming(), world.maren, withPicture, await picture());
  await expectNewName();
});

test("a changed story is found by its author’s current name if they were renamed while it was sent", async () => {
  await createPost(world.site, world.maren, post, await picture());
  await updatePost(renaming(), world.maren, "night-bus", withPicture, { version: 1 });
  await expectNewName();
});

test("a renaming waits for a story that is being saved, and then changes it too", async () => {
  const { site, maren } = world;
  const { id: pictureId } = await storeFeaturedPicture(site, maren, await picture());
  const [isLocked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // `createPost` needs this row after it has read the name.
  const locking = site.db.transaction().execute(async (db) => {
    await db.updateTable("files").set({ name: "lighthouse.jpg" }).where("id", "=", pictureId).execute();
    isLocked.resolve();
    await mayEnd.promise;
  });
  await isLocked.promise;
  const saving = createPost(site, maren, post, undefined, { pictureId });
  await untilWaiting(1);
  const renamed = rename();
  await untilWaiting(2);
  mayEnd.resolve();
  await Promise.all([locking, saving, renamed]);
  await expectNewName();
});

/** On SQLite transactions wait for the only writer anyway. */
async function untilWaiting(transactions: number): Promise<void> {
  if (world.site.engine === "sqlite") return;
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => expect((await waiting.execute(world.site.db)).rows).toHaveLength(transactions));
}

/** The site, calling `onIndex` whenever stories are about to get a name in the search index. */
function indexing(onIndex: () => void): Site {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === "UpdateQueryNode" && JSON.stringify(node).includes('"searchAuthor"')) onIndex();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...world.site, db: world.site.db.withPlugin(plugin) as Database };
}

test("long stories get a new name one by one, others get their turn in between; short ones get it together", async () => {
  const { site, maren } = world;
  for (const slug of ["first", "second", "third"]) await createPost(site, maren, { ...post, slug }, await picture());
  let updates = 0;
  const counting = indexing(() => updates++);
  await renameAccountAndProfile(counting, maren, "Maren Short");
  expect(updates).toBe(1);
  await site.db
    .updateTable("posts")
    .set({ searchText: "hum ".repeat(15_000) })
    .execute();
  let turnsBefore = 0;
  let turns = 0;
  const tick = () => {
    turns++;
    timer = setImmediate(tick);
  };
  let timer = setImmediate(tick);
  const gaps: number[] = [];
  const ticking = indexing(() => {
    gaps.push(turns - turnsBefore);
    turnsBefore = turns;
  });
  await renameAccountAndProfile(ticking, maren, "Maren Long");
  clearImmediate(timer);
  expect(gaps).toHaveLength(3);
  expect(Math.min(...gaps.slice(1))).toBeGreaterThan(0);
  const names = await site.db.selectFrom("posts").select("searchAuthor").distinct().execute();
  expect(names).toEqual([{ searchAuthor: "maren long" }]);
});

test("stories get a new name from the sweep if the process ends after the commit", async () => {
  await createPost(world.site, world.maren, post, await picture());
  const dying = indexing(() => {
    throw new Error("the process has ended");
  });
  await renameAccountAndProfile(dying, world.maren, "Marit Brandvold");
  const { db } = world.site;
  expect(await db.selectFrom("posts").select("searchAuthor").execute()).toEqual([{ searchAuthor: "maren oduya" }]);
  await finishDeletions(world.site);
  await expectNewName();
});

test("an eleventh new name within an hour is refused, through the account and the profile", async () => {
  const { site, maren } = world;
  const profile = { userName: "Name 10", bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
  for (let n = 1; n <= 10; n++) await renameAccountAndProfile(site, maren, `Name ${n}`);
  const refusal = { code: "too-many", message: expect.stringContaining("Too many new names") };
  await expect(renameAccountAndProfile(site, maren, "Name 11")).rejects.toMatchObject(refusal);
  await expect(updateProfile(site, maren, { ...profile, userName: "Name 11" })).rejects.toMatchObject(refusal);
  await updateProfile(site, maren, { ...profile, bio: "Still writing." });
  world.clock.advance(3_600_000);
  await renameAccountAndProfile(site, maren, "Name 11");
});
