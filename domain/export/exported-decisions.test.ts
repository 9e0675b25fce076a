import { unzipSync } from "fflate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appeal } from "#domain/moderation/appeals.server.ts";
import { listNotices } from "#domain/moderation/notices.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { exportEverything } from "./export.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** The fields are read by programs of others: renaming one breaks them. */
test("decisions.json names the story, the reason and the appeals", async () => {
  const { site, ruth } = world;
  await addPost(world, world.maren, { id: "moor", title: "About the moor" });
  const { member } = await signIn(world, world.maren);
  await holdPost(site, ruth, "moor", { reason: "It names a neighbour" });
  const [notice] = await listNotices(site, member);
  await appeal(site, member, notice?.id ?? "", "They agreed to it.");
  const { zip } = await exportEverything(site, member);
  const files = unzipSync(new Uint8Array(await new Response(zip).arrayBuffer()));
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(JSON.parse(new TextDecoder().decode(files["decisions.json"]))).toEqual([
    {
      ...{ kind: "hold", story: "moor", title: "About the moor", reason: "It names a neighbour", at, until: null, undone: null },
      appeals: [{ text: "They agreed to it.", status: "pending", answer: "", at }],
    },
  ]);
});
