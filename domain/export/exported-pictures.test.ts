import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld } from "../../tests/support/world.ts";
import { storePostPicture } from "../files/post-files.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { updatePost } from "../posts/update-post.server.ts";
import type { Member } from "../site.ts";
import { exportEverything } from "./export.server.ts";

test("pictures that an administrator put into a story are in its author's export only", async () => {
  const world = await openWorld();
  const { site, maren, ruth } = world;
  const input = { title: "Moor", slug: "moor", content: "", status: "active" as const };
  await createPost(site, maren, input, await picture());
  const { id } = await storePostPicture(site, ruth, await picture());
  await updatePost(site, ruth, "moor", { ...input, content: `![](/files/${id})` }, { version: 1 });
  const pictures = async (member: Member) => {
    const { zip } = await exportEverything(site, member);
    const names = Object.keys(unzipSync(new Uint8Array(await new Response(zip).arrayBuffer())));
    return names.filter((name) => name.includes("in-texts"));
  };
  expect(await pictures(maren)).toEqual([expect.stringContaining(id)]);
  expect(await pictures(ruth)).toEqual([]);
  await world.close();
});
