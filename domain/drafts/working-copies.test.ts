import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { storeAvatar } from "../files/avatars.server.ts";
import { attachFile, sweepUnattached } from "../files/files.server.ts";
import { storeFeaturedPicture, storePostPicture } from "../files/post-files.server.ts";
import { findReadableFile } from "../files/serve.server.ts";
import { createPost, deletePost, eraseDeleted } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { type Member, transaction } from "../site.ts";
import { discardWorkingCopy } from "./discard.server.ts";
import { copyIdOf, type DraftSave, draftsPerPerson, emptyDraft, maxVersions, versionIntervalMs } from "./draft.ts";
import { latestUnfinished, listUnfinished, readWorkingCopy } from "./draft-reads.server.ts";
import { listVersions, readVersion } from "./versions.server.ts";
import { saveWorkingCopy } from "./working-copies.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const id = "aaaaaaaaaaaaaaaaaaaaaaaa";
const saveOf = (content: string, chosen: Partial<DraftSave> = {}): DraftSave => ({
  id,
  base: null,
  writer: "page-one",
  count: 1,
  userId: world.maren.id,
  postId: null,
  postVersion: null,
  draft: { ...emptyDraft, title: "Tides", slug: "tides", content },
  ...chosen,
});
const save = (content: string, chosen: Partial<DraftSave> = {}, who: Member = world.maren) =>
  saveWorkingCopy(world.site, who, saveOf(content, chosen));
const kept = async () => (await readWorkingCopy(world.site, world.maren, id)).content;
const count = async (table: "files" | "copy_files" | "post_files" | "versions") =>
  (await world.site.db.selectFrom(table).selectAll().execute()).length;

describe("a save", () => {
  test("is readable by its writer only", async () => {
    await save("One.");
    expect(await kept()).toBe("One.");
    await expect(readWorkingCopy(world.site, world.ruth, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(save("Mine now.", { userId: world.ruth.id }, world.ruth)).rejects.toMatchObject({ code: "not-found" });
    await expect(readWorkingCopy(world.site, null, id)).rejects.toMatchObject({ code: "sign-in-required" });
  });

  test("builds on the previous revision", async () => {
    const { revision } = await save("One.");
    await save("One. Two.", { base: revision, writer: "page-two" });
    expect(await kept()).toBe("One. Two.");
  });

  test("from a stale page is refused with the current text", async () => {
    const { revision } = await save("One.");
    await save("Theirs.", { base: revision, writer: "page-two" });
    await expect(save("Mine.", { base: revision, writer: "page-three" })).rejects.toMatchObject({
      code: "conflict",
      details: { theirs: { kind: "draft", content: "Theirs." } },
    });
    expect(await kept()).toBe("Theirs.");
  });

  test("can be repeated and built upon if its answer was lost", async () => {
    await save("One.");
    await save("One.");
    await save("One. And more.");
    expect(await kept()).toBe("One. And more.");
  });

  test("that arrives late doesn't undo a later one of the same page", async () => {
    const { revision } = await save("One.");
    await save("One. Two. Three.", { base: revision, count: 3 });
    await expect(save("One. Two.", { base: revision, count: 2 })).rejects.toMatchObject({ code: "conflict" });
    expect(await kept()).toBe("One. Two. Three.");
  });

  test("with the same text is no conflict, by any page", async () => {
    await save("One.");
    await expect(save("One.", { writer: "page-two" })).resolves.toBeDefined();
  });

  test("of a discarded copy is refused as gone, also if a new one has the same id", async () => {
    const { revision } = await save("One.");
    await discardWorkingCopy(world.site, world.maren, id);
    await expect(save("Two.", { base: revision })).rejects.toMatchObject({ code: "conflict", details: { theirs: null } });
    world.clock.advance(1);
    await save("Begun anew.", { writer: "page-two" });
    await expect(save("Stale.", { base: revision })).rejects.toMatchObject({ details: { theirs: { content: "Begun anew." } } });
  });

  test("of two that begin at once, one is a conflict", async () => {
    const results = await Promise.allSettled([save("A.", { writer: "page-one" }), save("B.", { writer: "page-two" })]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("by another member who signed in meanwhile is refused", async () => {
    await expect(save("Maren's.", {}, world.tobias)).rejects.toMatchObject({ message: "You’re signed in with another account" });
  });

  test("is accepted before the email address is confirmed", async () => {
    await expect(save("Unconfirmed.", { userId: world.salma.id }, world.salma)).resolves.toBeDefined();
  });

  test("accepts texts longer than a story, up to a limit", async () => {
    await save("x".repeat(600_000));
    await expect(save("x".repeat(2_000_001))).rejects.toMatchObject({ code: "invalid" });
    expect((await kept()).length).toBe(600_000);
  });

  test("is refused beyond the limit of unfinished stories", async () => {
    for (let n = 0; n < draftsPerPerson; n++) await save("x", { id: `${n}`.padStart(24, "b") });
    await expect(save("One more.")).rejects.toMatchObject({ code: "too-many" });
  });
});

describe("unfinished work", () => {
  test("is listed latest first and searched by its words", async () => {
    await save("About gannets.");
    world.clock.advance(10);
    await save("About lamps.", { id: "cccccccccccccccccccccccc" });
    const texts = async (search?: string) => (await listUnfinished(world.site, world.maren, search)).map(({ beginning }) => beginning);
    expect(await texts()).toEqual(["About lamps.", "About gannets."]);
    expect(await texts("GANN")).toEqual(["About gannets."]);
    expect((await latestUnfinished(world.site, world.maren))?.content).toBe("About lamps.");
    expect(await listUnfinished(world.site, world.tobias)).toEqual([]);
  });

  test("on a story is possible for all who may edit it, and survives the deletion of the story by another member", async () => {
    const post = { title: "A", slug: "a", content: "", status: "active" as const };
    await createPost(world.site, world.maren, post, await picture());
    const edit = (who: Member) => save("Edited.", { id: copyIdOf(who.id, "a"), userId: who.id, postId: "a", postVersion: 1 }, who);
    await expect(edit(world.tobias)).rejects.toMatchObject({ code: "not-allowed" });
    await edit(world.ruth);
    await edit(world.maren);
    expect(await latestUnfinished(world.site, world.maren)).toBeNull();
    await deletePost(world.site, world.ruth, "a");
    await eraseDeleted(world.site, world.ruth, "a");
    expect(await listUnfinished(world.site, world.ruth)).toEqual([]);
    expect(await latestUnfinished(world.site, world.maren)).toMatchObject({ content: "Edited.", postId: null });
  });
});

test("unsaved changes to a story that its author has deleted meanwhile become a new story", async () => {
  const input = { title: "Tides", slug: "tides", content: "Once.", status: "active" as const };
  await createPost(world.site, world.maren, input, await picture());
  const changes = { id: copyIdOf(world.maren.id, "tides"), postId: "tides", postVersion: 1 };
  await deletePost(world.site, world.maren, "tides");
  await save("Once. And what the other tab had not saved.", changes);
  expect(await listUnfinished(world.site, world.maren)).toMatchObject([
    { id: changes.id, postId: null, beginning: "Once. And what the other tab had not saved." },
  ]);
});

describe("versions", () => {
  const texts = async () => {
    const versions = await listVersions(world.site, world.maren, { copyId: id });
    return Promise.all(versions.map(async (each) => (await readVersion(world.site, world.maren, { copyId: id }, each.id)).markdown));
  };

  test("one is kept every five minutes of writing", async () => {
    await save("One.");
    await save("One. Two.");
    expect(await texts()).toEqual([]);
    world.clock.advance(versionIntervalMs);
    await save("One. Two. Three.");
    expect(await texts()).toEqual(["One. Two."]);
  });

  test("one is kept when much is deleted at once", async () => {
    await save("An hour of work, and then Control and A.");
    await save("");
    expect(await texts()).toEqual(["An hour of work, and then Control and A."]);
  });

  test("the newest are kept", async () => {
    for (let n = 0; n < maxVersions + 5; n++) {
      world.clock.advance(versionIntervalMs);
      await save(`Text number ${n}.`);
    }
    expect(await texts()).toHaveLength(maxVersions);
    expect((await texts())[0]).toBe(`Text number ${maxVersions + 3}.`);
  });

  test("are listed with their number of characters, unless counting would read a very long text", async () => {
    for (const text of ["Zwölf Möwen.", "", "a".repeat(500_001), ""]) {
      await save(text);
      world.clock.advance(1);
    }
    const versions = await listVersions(world.site, world.maren, { copyId: id });
    expect(versions.map(({ length }) => length)).toEqual([null, 12]);
  });

  test("are readable by the writer only", async () => {
    await save("An hour of work.");
    await save("");
    expect(await listVersions(world.site, world.tobias, { copyId: id })).toEqual([]);
  });
});

describe("pictures", () => {
  const post = (fileId: string) => `Look: ![a](/files/${fileId}/1200.webp)`;

  test("are readable by the sender only until the story is published", async () => {
    const { id: fileId } = await storePostPicture(world.site, world.maren, await picture("a.png", 60, 30));
    const { id: cover } = await storeFeaturedPicture(world.site, world.maren, await picture());
    const { revision } = await save(post(fileId), { draft: { ...saveOf(post(fileId)).draft, featuredImage: cover } });
    const mayRead = async (viewer: Member | null) => (await findReadableFile(world.site, viewer, fileId).catch(() => null)) !== null;
    world.clock.advance(1000);
    await sweepUnattached(world.site, world.site.now());
    expect([await mayRead(world.maren), await mayRead(world.tobias), await mayRead(null)]).toEqual([true, false, false]);
    const input = { title: "Tides", slug: "tides", content: post(fileId), status: "inactive" as const };
    const draft = { id, base: revision, writer: "page-one", count: 1 };
    await createPost(world.site, world.maren, input, undefined, { draftBase: draft, pictureId: cover });
    expect([await mayRead(world.ruth), await mayRead(world.tobias)]).toEqual([true, false]);
    await setPostStatus(world.site, world.maren, "tides", "active");
    expect(await mayRead(null)).toBe(true);
    expect(await listUnfinished(world.site, world.maren)).toEqual([]);
    await deletePost(world.site, world.maren, "tides");
    expect(await count("files")).toBe(0);
  });

  test("stay when a featured one is replaced that the text shows", async () => {
    const [old, fresh] = [
      await storeFeaturedPicture(world.site, world.maren, await picture()),
      await storeFeaturedPicture(world.site, world.maren, await picture("b.png")),
    ];
    const saveWith = (content: string, featuredImage: string, base: number | null) =>
      save(content, { base, draft: { ...saveOf(content).draft, featuredImage } });
    const { revision } = await saveWith(post(old.id), old.id, null);
    const second = await saveWith(post(old.id), fresh.id, revision);
    expect(await findReadableFile(world.site, world.maren, old.id)).toBeDefined();
    await saveWith(post(old.id), old.id, second.revision);
    await expect(findReadableFile(world.site, world.maren, fresh.id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("are removed with a discarded working copy", async () => {
    const { id: fileId } = await storePostPicture(world.site, world.maren, await picture("a.png", 60, 30));
    await save(post(fileId));
    await discardWorkingCopy(world.site, world.maren, id);
    expect([await count("files"), await count("copy_files")]).toEqual([0, 0]);
  });

  test("that no save contains are swept", async () => {
    await storePostPicture(world.site, world.maren, await picture("a.png", 60, 30));
    await save("No picture.");
    await sweepUnattached(world.site, world.site.now());
    expect(await count("files")).toBe(0);
  });

  test("of another member can't be read by naming them", async () => {
    const { id: fileId } = await storePostPicture(world.site, world.maren, await picture("a.png", 60, 30));
    const thief = await addMember(world, "Thea Thief");
    const input = { title: "Mine", slug: "mine", content: post(fileId), status: "active" as const };
    await createPost(world.site, thief, input, await picture());
    await expect(findReadableFile(world.site, null, fileId)).rejects.toMatchObject({ code: "not-found" });
    await expect(createPost(world.site, thief, { ...input, slug: "other" }, undefined, { pictureId: fileId })).rejects.toMatchObject({
      message: "Featured image is required",
    });
  });

  test("of another member's story can't be adopted by naming the story in a later save", async () => {
    const input = { title: "Mine", slug: "mine", content: "Text.", status: "active" as const };
    await createPost(world.site, world.tobias, input, await picture());
    const { featuredImage } = await world.site.db.selectFrom("posts").select("featuredImage").executeTakeFirstOrThrow();
    const draft = { ...saveOf("Text.").draft, featuredImage };
    await expect(save("Text.", { draft, postId: "mine" })).rejects.toMatchObject({ code: "not-allowed" });
    const { revision } = await save("Text.");
    expect((await save("Text.", { base: revision, draft, postId: "mine" })).featuredImage).toBeNull();
    const own = { ...saveOf("Text.", { id: copyIdOf(world.tobias.id, "mine"), userId: world.tobias.id, postId: "mine" }), draft };
    expect((await saveWorkingCopy(world.site, world.tobias, own)).featuredImage).toBe(featuredImage);
  });

  test("of a profile or message can't be used in a story, and are not removed with it", async () => {
    const { id: avatar } = await storeAvatar(world.site, world.maren, await picture("a.png", 60, 60));
    await transaction(world.site, (tx) => attachFile(tx, avatar));
    await save(post(avatar), { draft: { ...saveOf(post(avatar)).draft, featuredImage: avatar } });
    await discardWorkingCopy(world.site, world.maren, id);
    expect(await count("files")).toBe(1);
  });

  test("that are gone don't stop a save, and leave the copy's current one", async () => {
    const { id: present } = await storeFeaturedPicture(world.site, world.maren, await picture());
    const saveWith = async (featuredImage: string | null) => {
      const { revision: base } = await readWorkingCopy(world.site, world.maren, id).catch(() => ({ revision: null }));
      return (await save("Text.", { base, draft: { ...saveOf("Text.").draft, featuredImage } })).featuredImage;
    };
    expect([await saveWith("19dfa1c0000gone00"), await saveWith(present), await saveWith("19dfa1c0000gone00")]).toEqual([
      null,
      present,
      present,
    ]);
    expect(await findReadableFile(world.site, world.maren, present)).toBeDefined();
    expect(await saveWith(null)).toBeNull();
  });
});
