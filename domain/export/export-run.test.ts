import { unzipSync } from "fflate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { minutes } from "#platform/time.ts";
import { signIn as openSession, openWorld, type World } from "../../tests/support/world.ts";
import { emptyDraft } from "../drafts/draft.ts";
import { saveWorkingCopy } from "../drafts/working-copies.server.ts";
import { exportEverything } from "./export.server.ts";
import { exportTexts } from "./export.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

test("an export holds one unfinished text at a time", async () => {
  const { member } = await openSession(world, world.maren);
  for (const name of ["one", "two", "three"]) {
    const origin = { base: null, writer: "page-of-mine", count: 1, postId: null, postVersion: null };
    const draft = { ...emptyDraft, title: name, content: `Text ${name}.` };
    await saveWorkingCopy(world.site, member, { ...origin, id: `${member.id}.${name}`, userId: member.id, draft });
  }
  const texts: number[] = [];
  const db = world.site.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      texts.push(result.rows.filter(({ markdown }) => typeof markdown === "string").length);
      return result;
    },
  });
  const { zip } = await exportEverything({ ...world.site, db }, member);
  const files = Object.keys(unzipSync(new Uint8Array(await new Response(zip).arrayBuffer())));
  expect(files.filter((name) => name.startsWith("unfinished/"))).toHaveLength(3);
  expect(Math.max(...texts)).toBe(1);
});

test("an export runs once at a time for a member", async () => {
  const { site, clock } = world;
  const { member } = await openSession(world, world.maren);
  const first = await exportEverything(site, member);
  await expect(exportEverything(site, member)).rejects.toMatchObject({ code: "conflict", message: exportTexts.alreadyRunning });
  await (await exportEverything(site, world.tobias)).zip.cancel();
  await new Response(first.zip).arrayBuffer();
  const second = await exportEverything(site, member);
  // Its client is gone without having closed the connection.
  clock.advance(minutes(1));
  const third = await exportEverything(site, member);
  await expect(new Response(second.zip).arrayBuffer()).resolves.toMatchObject({ byteLength: expect.any(Number) });
  await expect(exportEverything(site, member)).rejects.toMatchObject({ code: "conflict" });
  await third.zip.cancel();
  await (await exportEverything(site, member)).zip.cancel();
});
