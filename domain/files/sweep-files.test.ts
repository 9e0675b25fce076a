import { afterEach, beforeEach, expect, test } from "vitest";
import { originalKey } from "#platform/files/file-keys.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { type Site, transaction } from "../site.ts";
import { attachFile, releaseFiles, sweepUnattached } from "./files.server.ts";
import { storeFeaturedPicture } from "./post-files.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const store = async () => (await storeFeaturedPicture(world.site, world.maren, await picture())).id;
const attach = (id: string) => transaction(world.site, (tx) => attachFile(tx, id));
const isThere = async (id: string) => (await world.site.files.size(originalKey(id))) !== undefined;
const rows = async () => (await world.site.db.selectFrom("files").select("id").execute()).map(({ id }) => id);

/** Runs `work` just before a folder is deleted. */
function beforeRemoving(work: (folder: string) => Promise<void>): Site {
  const deleteFolder = async (folder: string) => {
    await work(folder);
    await world.site.files.deleteFolder(folder);
  };
  return { ...world.site, files: { ...world.site.files, deleteFolder } };
}

test("a file saved with its story during a sweep keeps its bytes", async () => {
  const [first, second] = [await store(), await store()];
  let saved = "";
  const site = beforeRemoving(async (folder) => {
    if (saved) return;
    saved = folder === first ? second : first;
    await attach(saved);
  });
  expect(await sweepUnattached(site, world.site.now())).toBe(1);
  expect([await rows(), await isThere(saved)]).toEqual([[saved], true]);
});

test("a request doesn't wait for the removal of many files", async () => {
  const ids = await Promise.all(Array.from({ length: 21 }, store));
  const { promise: storeAnswers, resolve } = Promise.withResolvers<void>();
  const site = beforeRemoving(() => storeAnswers);
  await transaction(site, (tx) => releaseFiles(tx, ids));
  expect(await rows()).toHaveLength(21);
  resolve();
  await site.background.settled();
  expect(await rows()).toEqual([]);
});

test("after a commit, a store that is down is tried once, and the sweep removes the files later", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, store));
  let tries = 0;
  const site = beforeRemoving(async () => {
    tries++;
    throw new Error("the store doesn't answer");
  });
  await transaction(site, (tx) => releaseFiles(tx, ids));
  expect([tries, await rows()]).toEqual([1, expect.arrayContaining(ids)]);
  expect(await sweepUnattached(world.site, world.site.now())).toBe(5);
  expect(await rows()).toEqual([]);
});

test("a file that is being removed can't be saved with a story", async () => {
  const id = await store();
  const attempts: unknown[] = [];
  const site = beforeRemoving(async (folder) => void attempts.push(await attach(folder).catch((error) => error.code)));
  expect(await sweepUnattached(site, world.site.now())).toBe(1);
  expect([attempts, await rows(), await isThere(id)]).toEqual([["unavailable"], [], false]);
});
