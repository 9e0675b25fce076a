import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import type { Upload } from "../files/files.server.ts";
import { storePostPicture } from "../files/post-files.server.ts";
import { findReadableFile } from "../files/serve.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { copyIdOf, type DraftSave, emptyDraft } from "./draft.ts";
import { hasUnfinishedChanges, listUnfinished, readWorkingCopy } from "./draft-reads.server.ts";
import { listVersions } from "./versions.server.ts";
import { saveWorkingCopy } from "./working-copies.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const id = "aaaaaaaaaaaaaaaaaaaaaaaa";
const save = (content: string, chosen: Partial<DraftSave> = {}) =>
  saveWorkingCopy(world.site, world.maren, {
    ...{ id, base: null, writer: "page-one", count: 1, userId: world.maren.id, postId: null, postVersion: null },
    draft: { ...emptyDraft, title: "Tides", slug: "tides", content },
    ...chosen,
  });
const kept = async () => (await readWorkingCopy(world.site, world.maren, id)).content;

describe("publishing", () => {
  const publish = async (content: string, chosen: { base: number | null; count: number }, cover?: Upload) => {
    const input = { title: "Tides", slug: "tides", content, status: "active" as const };
    return createPost(world.site, world.maren, input, cover ?? (await picture()), { draftBase: { id, writer: "page-one", ...chosen } });
  };

  test("a text that arrives after a later save of the same page is refused, and the later text stays", async () => {
    const { revision } = await save("One.");
    await save("One. Two.", { base: revision, count: 2 });
    await expect(publish("One.", { base: revision, count: 1 })).rejects.toMatchObject({
      code: "conflict",
      details: { theirs: { kind: "draft", content: "One. Two." } },
    });
    expect(await kept()).toBe("One. Two.");
    expect(await world.site.db.selectFrom("posts").select("id").execute()).toEqual([]);
  });

  test("replaces an earlier save of the same page whose answer was lost", async () => {
    await save("One.");
    await publish("One. Two.", { base: null, count: 2 });
    await expect(kept()).rejects.toMatchObject({ code: "not-found" });
  });

  test.each(["saved before", "never saved"])(
    "a delayed save of a published text that was %s doesn’t bring the draft back",
    async (which) => {
      if (which === "saved before") await save("One.");
      await publish("One. Two.", { base: null, count: 2 });
      for (const delayed of [1, 2])
        await expect(save("One. Two.", { count: delayed })).rejects.toMatchObject({ details: { kind: "finished" } });
      expect(await listUnfinished(world.site, world.maren)).toEqual([]);
      await save("One. Two. Three.", { count: 3 });
      expect(await kept()).toBe("One. Two. Three.");
    },
  );

  test("again, after the answer was lost and the page saved its draft once more, leaves no draft", async () => {
    const cover = await picture();
    const press = (count: number) => publish("One.", { base: null, count }, cover);
    await press(1);
    await save("One.", { count: 3 });
    await press(3);
    expect(await listUnfinished(world.site, world.maren)).toEqual([]);
    expect(await world.site.db.selectFrom("posts").select("version").execute()).toEqual([{ version: 1 }]);
  });

  test("another page’s text with the same draft is not taken for the published one", async () => {
    await publish("One.", { base: null, count: 5 });
    await save("Typed in another tab.", { writer: "page-two", count: 1 });
    expect(await kept()).toBe("Typed in another tab.");
  });

  test.each([
    ["NaN", Number.NaN],
    ["1e300", 1e300],
    ["-1", -1],
  ])("takes a form whose count is %s", async (_, count) => {
    await publish("One.", { base: null, count });
    expect(await world.site.db.selectFrom("finished_drafts").selectAll().execute()).toEqual([]);
  });

  test("leaves unfinished changes only once the viewer types another text", async () => {
    await publish("One.", { base: null, count: 1 });
    const type = (content: string, base: number | null, count: number) =>
      save(content, { id: copyIdOf(world.maren.id, "tides"), postId: "tides", postVersion: 1, base, count });
    const changed = (viewer = world.maren) => hasUnfinishedChanges(world.site, viewer, "tides");
    const { revision } = await type("Two.", null, 2);
    expect([await changed(), await changed(world.ruth)]).toEqual([true, false]);
    await type("One.", revision, 3);
    expect(await changed()).toBe(false);
  });

  test("keeps the pictures of earlier versions", async () => {
    const post = (fileId: string) => `Look: ![a](/files/${fileId}/1200.webp)`;
    const [shown, dropped] = [
      await storePostPicture(world.site, world.maren, await picture("a.png", 60, 30)),
      await storePostPicture(world.site, world.maren, await picture("b.png", 60, 30)),
    ];
    const first = await save(post(dropped.id));
    const second = await save(`An hour of work. ${post(shown.id)}`, { base: first.revision });
    const { revision: base } = await save("Short.", { base: second.revision });
    await publish("Short.", { base, count: 1 });
    expect(await listVersions(world.site, world.maren, { postId: "tides" })).toHaveLength(1);
    await expect(findReadableFile(world.site, world.maren, shown.id)).resolves.toBeDefined();
    await expect(findReadableFile(world.site, world.maren, dropped.id)).rejects.toMatchObject({ code: "not-found" });
  });
});
