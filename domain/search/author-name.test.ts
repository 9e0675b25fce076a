import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FetchError } from "#platform/fetch/fetcher.ts";
import { picture } from "../../tests/support/pictures.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { changeName } from "../accounts/changes.server.ts";
import { storeFeaturedPicture } from "../files/post-files.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { updatePost } from "../posts/update-post.server.ts";
import type { Site } from "../site.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const post = { title: "Night Bus", slug: "night-bus", content: "It hums.", status: "active" } as const;
const withPicture = { ...post, content: "![lamp](https://pictures.example/lamp.png)" };
const rename = () => changeName(world.site, world.maren, "Marit Brandvold");

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

test("a new story is found by its author’s present name if they were renamed while it was sent", async () => {
  await createPost(renaming(), world.maren, withPicture, await picture());
  await expectNewName();
});

test("a changed story is found by its author’s present name if they were renamed while it was sent", async () => {
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
