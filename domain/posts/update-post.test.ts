import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { listAudit } from "../audit/audit.server.ts";
import { copyIdOf, emptyDraft } from "../drafts/draft.ts";
import { readWorkingCopy } from "../drafts/draft-reads.server.ts";
import { listVersions, readVersion } from "../drafts/versions.server.ts";
import { saveWorkingCopy } from "../drafts/working-copies.server.ts";
import { sweepUnattached } from "../files/files.server.ts";
import { storeDraftPicture, storePostPicture } from "../files/post-files.server.ts";
import { findReadableFile } from "../files/serve.server.ts";
import type { Member } from "../site.ts";
import { readPost } from "./post-reads.server.ts";
import { createPost } from "./posts.server.ts";
import { readForEditing, setPostStatus, type UpdateOptions, updatePost } from "./update-post.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await createPost(world.site, world.maren, { title: "Tides", slug: "tides", content: "One.", status: "active" }, await picture());
});
afterEach(() => world.close());

const update = (content: string, chosen: Partial<UpdateOptions> = {}, who: Member | null = world.maren) =>
  updatePost(world.site, who, "tides", { title: "Tides", content, status: "active" }, { version: 1, ...chosen });
const text = async () => (await readForEditing(world.site, world.maren, "tides")).content;
const read = () => readPost(world.site, null, "tides");
const save = (who: Member, content: string, postVersion: number, base: number | null = null, writer = `page of ${who.id}`) =>
  saveWorkingCopy(world.site, who, {
    id: copyIdOf(who.id, "tides"),
    userId: who.id,
    base,
    writer,
    count: 1,
    postId: "tides",
    postVersion,
    draft: { ...emptyDraft, title: "Tides", slug: "tides", content },
  });

describe("a change to a story", () => {
  test("by its author is public under the same address and date", async () => {
    const before = await read();
    world.clock.advance(1000);
    await update("Two **bold** words.");
    const after = await read();
    expect(after.content).toContain("<strong>bold</strong>");
    expect([after.publishedAt, after.updatedAt]).toEqual([before.publishedAt, before.updatedAt + 1000]);
  });

  test("by an administrator keeps the author, and the history names the administrator", async () => {
    await update("Ruth's.", {}, world.ruth);
    expect((await read()).userId).toBe(world.maren.id);
    const { entries } = await listAudit(world.site, world.ruth, { limit: 10 });
    expect(entries).toMatchObject([{ userName: "Ruth Castellanos", action: "post.edited", subject: "post:tides", after: { version: 2 } }]);
    world.clock.advance(1);
    await update("Maren's.", { version: 2 });
    const versions = await listVersions(world.site, world.maren, { postId: "tides" });
    expect(versions.map(({ by }) => by)).toEqual(["Ruth Castellanos", "Maren Oduya"]);
  });

  test("by an administrator in the editor, who gives no reason there, keeps the status, also if sent again", async () => {
    const draft = { title: "Tides", content: "Ruth's.", status: "inactive" } as const;
    const edit = () => updatePost(world.site, world.ruth, "tides", draft, { version: 1, keepsStatusOfOthers: true });
    await edit();
    await edit();
    expect(await readForEditing(world.site, world.maren, "tides")).toMatchObject({ content: "Ruth's.", status: "active", version: 2 });
    await updatePost(world.site, world.maren, "tides", draft, { version: 2, keepsStatusOfOthers: true });
    expect((await readForEditing(world.site, world.maren, "tides")).status).toBe("inactive");
  });

  test("by another member is refused", async () => {
    await expect(update("Tobias was here.", {}, world.tobias)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(update("Nobody was here.", {}, null)).rejects.toMatchObject({ code: "sign-in-required" });
    await setPostStatus(world.site, world.maren, "tides", "inactive");
    await expect(update("Tobias again.", {}, world.tobias)).rejects.toMatchObject({ code: "not-found" });
    expect(await text()).toBe("One.");
  });

  test("based on an older version is refused with the current text", async () => {
    await update("Ruth's.", {}, world.ruth);
    await expect(update("Maren's.")).rejects.toMatchObject({
      code: "conflict",
      details: { theirs: { kind: "story", number: 2, content: "Ruth's.", by: "Ruth Castellanos" } },
    });
    expect(await text()).toBe("Ruth's.");
  });

  test("of two at once, one is refused", async () => {
    const results = await Promise.allSettled([update("A."), update("B.", {}, world.ruth)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("has no effect if sent again after a lost answer", async () => {
    await update("Two.");
    await update("Two.");
    expect((await readForEditing(world.site, world.maren, "tides")).version).toBe(2);
  });

  test("has no other effect if sent again while the first request is running", async () => {
    expect(await Promise.all([update("Two."), update("Two.")])).toEqual([{ held: false }, { held: false }]);
    expect((await readForEditing(world.site, world.maren, "tides")).version).toBe(2);
    expect(await listVersions(world.site, world.maren, { postId: "tides" })).toHaveLength(1);
  });

  test("keeps the old text as a readable version", async () => {
    await update("Two.");
    const [version] = await listVersions(world.site, world.maren, { postId: "tides" });
    expect(await readVersion(world.site, world.maren, { postId: "tides" }, version?.id ?? "")).toMatchObject({ markdown: "One." });
    await expect(listVersions(world.site, world.tobias, { postId: "tides" })).rejects.toMatchObject({ code: "not-allowed" });
  });

  test("removes the working copy, unless another page saved another text there", async () => {
    const { revision } = await save(world.maren, "Two.", 1);
    const draft = { id: copyIdOf(world.maren.id, "tides"), base: revision, writer: "page one", count: 1 };
    await save(world.maren, "Three, from the other tab.", 1, revision, "page two");
    await expect(update("Two.", { draftBase: draft })).rejects.toMatchObject({
      details: { theirs: { kind: "draft", content: "Three, from the other tab." } },
    });
    expect(await text()).toBe("One.");
    await update("Three and two.", { draftBase: { ...draft, base: revision + 1 } });
    await expect(readWorkingCopy(world.site, world.maren, draft.id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("doesn't change the published text before it is saved", async () => {
    await save(world.maren, "Half a sent", 1);
    expect((await read()).content).toContain("One.");
  });
});

describe("the picture", () => {
  const files = async () => (await world.site.db.selectFrom("files").select("id").execute()).map(({ id }) => id);

  test("is replaced, and the old one removed", async () => {
    const [old = ""] = await files();
    await update("One.", { picture: await picture() });
    expect(await files()).toEqual([(await read()).featuredImage]);
    expect(await files()).not.toContain(old);
  });

  const uploadDraft = () => picture().then((upload) => storeDraftPicture(world.site, world.maren, "featured", upload));

  test("chosen in two tabs is refused in the second, which keeps its working copy", async () => {
    const [first, second] = [await uploadDraft(), await uploadDraft()];
    const { revision } = await save(world.maren, "One.", 1);
    await update("One.", { pictureId: first.id });
    const draft = { id: copyIdOf(world.maren.id, "tides"), base: revision, writer: "another page", count: 1 };
    await expect(update("One.", { pictureId: second.id, draftBase: draft })).rejects.toMatchObject({
      code: "conflict",
      details: { theirs: { number: 2, featuredImage: first.id } },
    });
    expect((await readWorkingCopy(world.site, world.maren, draft.id)).content).toBe("One.");
    await update("One.", { pictureId: first.id });
    expect((await read()).featuredImage).toBe(first.id);
  });

  test("uploaded again after a lost answer is stored once, and another one is refused", async () => {
    const upload = await picture();
    await update("One.", { picture: upload });
    await update("One.", { picture: upload });
    expect(await files()).toEqual([(await read()).featuredImage]);
    await expect(update("One.", { picture: await picture("b.png") })).rejects.toMatchObject({ code: "conflict" });
    expect(await files()).toEqual([(await read()).featuredImage]);
  });

  test("stays while the text or a version shows it", async () => {
    const [old = ""] = await files();
    const shown = `One. ![x](/files/${old}/1200.webp)`;
    await update(shown);
    await update(shown, { version: 2, picture: await picture("b.png") });
    expect((await read()).featuredImage).not.toBe(old);
    expect(await findReadableFile(world.site, null, old)).toMatchObject({ isPublic: true });
    await update("Two.", { version: 3, picture: await picture("c.png") });
    const { featuredImage } = await read();
    expect((await files()).toSorted()).toEqual([old, String(featuredImage)].toSorted());
    await update("Three.", { version: 4, pictureId: featuredImage });
    expect(await files()).toHaveLength(2);
    await world.site.db.deleteFrom("versions").execute();
    await update("Four.", { version: 5 });
    expect(await files()).toEqual([featuredImage]);
  });

  test("that can't be removed is swept later", async () => {
    const store = { ...world.site.files, deleteFolder: () => Promise.reject(new Error("the disk says no")) };
    const site = { ...world.site, files: store };
    await updatePost(
      site,
      world.maren,
      "tides",
      { title: "T", content: "Two.", status: "active" },
      { version: 1, picture: await picture() },
    );
    expect(await files()).toHaveLength(2);
    await sweepUnattached(world.site, world.site.now());
    expect(await files()).toHaveLength(1);
  });

  test("of a refused change is not kept", async () => {
    await update("Two.");
    await expect(update("Three.", { picture: await picture() })).rejects.toMatchObject({ code: "conflict" });
    expect(await files()).toHaveLength(1);
  });
});

describe("a picture in the text", () => {
  const addPicture = async () => {
    const { id, url: address } = await storePostPicture(world.site, world.maren, await picture("boat.png", 300, 200));
    return { id, shown: `![boat](${address})` };
  };
  const open = (fileId: string, viewer: Member | null) => findReadableFile(world.site, viewer, fileId);
  const draft = (base: number) => ({ id: copyIdOf(world.maren.id, "tides"), base, writer: `page of ${world.maren.id}`, count: 1 });

  test("that was removed from it is for its author and administrators, while a version shows it", async () => {
    const boat = await addPicture();
    await update(boat.shown);
    expect(await open(boat.id, null)).toMatchObject({ isPublic: true });
    await update("Without.", { version: 2 });
    for (const viewer of [null, world.tobias]) await expect(open(boat.id, viewer)).rejects.toMatchObject({ code: "not-found" });
    for (const viewer of [world.maren, world.ruth]) expect(await open(boat.id, viewer)).toMatchObject({ isPublic: false });
    await update(`Back: ${boat.shown}`, { version: 3 });
    expect(await open(boat.id, null)).toMatchObject({ isPublic: true });
  });

  test("that was pasted and removed before the update is deleted, unless a version shows it", async () => {
    const [boat, tide] = [await addPicture(), await addPicture()];
    const first = await save(world.maren, `Sea ${boat.shown}`, 1);
    const second = await save(world.maren, `Sea, sand and stones ${tide.shown}`, 1, first.revision);
    const third = await save(world.maren, "Sea.", 1, second.revision);
    await update("Sea.", { draftBase: draft(third.revision) });
    await expect(open(boat.id, world.maren)).rejects.toMatchObject({ code: "not-found" });
    expect(await open(tide.id, world.maren)).toMatchObject({ isPublic: false });
    await expect(open(tide.id, null)).rejects.toMatchObject({ code: "not-found" });
  });
});

test("author and administrator can publish and unpublish a draft, with one event each", async () => {
  await setPostStatus(world.site, world.maren, "tides", "inactive");
  await expect(setPostStatus(world.site, world.tobias, "tides", "active")).rejects.toMatchObject({ code: "not-found" });
  await setPostStatus(world.site, world.ruth, "tides", "active");
  await setPostStatus(world.site, world.maren, "tides", "active");
  await expect(setPostStatus(world.site, world.tobias, "tides", "inactive")).rejects.toMatchObject({ code: "not-allowed" });
  const created = await world.site.db.selectFrom("events").select("number").where("type", "=", "post.published").execute();
  expect(created).toHaveLength(2);
});

test("an unconfirmed author can edit and unpublish stories, but not publish them", async () => {
  const unconfirmed = { ...world.maren, isEmailConfirmed: false };
  const refused = { code: "not-allowed", message: "Please confirm your email address first" };
  await update("Two.", {}, unconfirmed);
  await setPostStatus(world.site, unconfirmed, "tides", "inactive");
  await expect(setPostStatus(world.site, unconfirmed, "tides", "active")).rejects.toMatchObject(refused);
  await expect(update("Three.", { version: 3 }, unconfirmed)).rejects.toMatchObject(refused);
  expect(await readForEditing(world.site, world.maren, "tides")).toMatchObject({ content: "Two.", status: "inactive", version: 3 });
});

test("a story sent as HTML is edited as Markdown", async () => {
  const html = "<h2>Tides</h2><p>Some <u>wet</u> <strong>sand</strong>.</p>";
  await world.site.db.updateTable("posts").set({ markdown: null, content: html }).execute();
  expect(await text()).toBe("## Tides\n\nSome <u>wet</u> **sand**.");
});
