import type { KyselyPlugin } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "#platform/database/open.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { finishDeletions } from "../account-deletion/cleanups.server.ts";
import { renameAccountAndProfile } from "../accounts/changes.server.ts";
import { createPost, deletePost } from "../posts/posts.server.ts";
import { updatePost } from "../posts/update-post.server.ts";
import type { Site } from "../site.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  const post = { title: "The Wrimblethorpe Affair", slug: "affair", content: "It hums.", status: "active" } as const;
  await createPost(world.site, world.maren, post, await picture());
});
afterEach(() => world.close());

/** The site of a process that ends as soon as it has committed. */
function dying(): Site {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === "DeleteQueryNode" && JSON.stringify(node).includes('"search_words"')) throw new Error("the process has ended");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...world.site, db: world.site.db.withPlugin(plugin) as Database };
}

const typoWords = async (words: string[]) =>
  (await world.site.db.selectFrom("search_words").select("word").where("word", "in", words).orderBy("word").execute()).map(
    ({ word }) => word,
  );
const waiting = () => world.site.db.selectFrom("deletion_cleanups").select("words").execute();

const replacements: [string, string, (site: Site) => Promise<unknown>][] = [
  [
    "a replaced title",
    "wrimblethorpe",
    (site) => updatePost(site, world.maren, "affair", { title: "An Affair", content: "It hums.", status: "active" }, { version: 1 }),
  ],
  ["a deleted story", "wrimblethorpe", (site) => deletePost(site, world.maren, "affair")],
  ["a replaced name", "oduya", (site) => renameAccountAndProfile(site, world.maren, "Maren Brandvold")],
];

test.each(replacements)("words of %s are removed at once, or by the sweep if the process ends", async (_what, word, replace) => {
  expect(await typoWords([word])).toEqual([word]);
  await replace(dying());
  expect(await typoWords([word])).toEqual([word]);
  expect(await waiting()).toEqual([{ words: expect.stringContaining(word) }]);
  await finishDeletions(world.site);
  expect([await typoWords([word]), await waiting()]).toEqual([[], []]);
});

test("nothing waits after words were removed, and words that stories still have stay", async () => {
  await updatePost(world.site, world.maren, "affair", { title: "Harbour", content: "It hums.", status: "active" }, { version: 1 });
  expect([await typoWords(["affair", "harbour", "oduya", "wrimblethorpe"]), await waiting()]).toEqual([["harbour", "oduya"], []]);
});
