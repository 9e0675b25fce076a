import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { discardWorkingCopy } from "../drafts/discard.server.ts";
import { type DraftBase, emptyDraft } from "../drafts/draft.ts";
import { saveWorkingCopy } from "../drafts/working-copies.server.ts";
import { sendAttachment } from "../messages/attachments.server.ts";
import { createPost, deletePost } from "../posts/posts.server.ts";
import { updatePost } from "../posts/update-post.server.ts";
import { findProfile } from "../profiles/profile-reads.server.ts";
import { changeProfile, updateProfile } from "../profiles/profiles.server.ts";
import { changeFile, chunkBytes, storeChunk } from "./api-files.server.ts";
import { readStorage, sweepUnattached, uploadBytesPerHour } from "./files.server.ts";
import { storeDraftPicture } from "./post-files.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const copyId = "aaaaaaaaaaaaaaaaaaaaaaaa";
const profile = { userName: "Maren", bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };

function save(content: string, { count = 1, writer = "page-one", base = null }: Partial<DraftBase> = {}) {
  const draft = { ...emptyDraft, title: "Tides", content };
  const nothing = { postId: null, postVersion: null };
  return saveWorkingCopy(world.site, world.maren, { id: copyId, userId: world.maren.id, ...nothing, base, writer, count, draft });
}
const publish = async (slug: string) =>
  createPost(world.site, world.maren, { title: "Tides", slug, content: "Once.", status: "active" }, await picture("a.png", 300, 200));
const attach = async (sendId: string) =>
  sendAttachment(world.site, world.maren, { to: world.tobias.id, sendId, upload: await picture("map.png", 300, 200) });
const chunk = (id: string, bytes: Uint8Array, of?: { start: number; total: number }, publicly = false, who = world.maren) =>
  storeChunk(world.site, who, { id, name: "a.zip", type: "application/zip", bytes, of, publicly });

/** The sum of all stored bytes. */
async function added(): Promise<number> {
  const { db } = world.site;
  const files = await db.selectFrom("files").select("size").where("ownerId", "=", world.maren.id).execute();
  const copies = await db.selectFrom("working_copies").select("markdown").where("userId", "=", world.maren.id).execute();
  const versions = await db.selectFrom("versions").select("markdown").where("userId", "=", world.maren.id).execute();
  const texts = [...copies, ...versions].map(({ markdown }) => Buffer.byteLength(markdown));
  return [...files.map(({ size }) => Number(size)), ...texts].reduce((sum, each) => sum + each, 0);
}
const used = async () => (await readStorage(world.site, world.maren.id)).used;

test("all that a member stores is counted to the byte, and subtracted on removal", async () => {
  const { site, maren } = world;
  const counts: [number, number][] = [];
  const recordCounts = async () => counts.push([await used(), await added()]);
  for (const step of [
    () => publish("tides"),
    () => save("Zwölf Möwen."),
    () => save("Eine.", { count: 2, writer: "page-two-of-hers" }).catch(() => undefined),
    () => save("Zwölf Möwen. Mehr.", { count: 3 }),
    () => storeDraftPicture(site, maren, "text", undefined).catch(() => undefined),
    async () => storeDraftPicture(site, maren, "text", await picture("b.png", 400, 300)),
    () => attach("one"),
    async () => updateProfile(site, maren, profile, await picture("c.png", 200, 200)),
    () => chunk("unfinished", Buffer.alloc(100), { start: chunkBytes, total: chunkBytes + 100 }),
    () => chunk("whole", Buffer.alloc(1000)),
    () => updatePost(site, maren, "tides", { title: "Tides", content: "Twice.", status: "active" }, { version: 1 }),
    () => discardWorkingCopy(site, maren, copyId),
    () => deletePost(site, maren, "tides"),
    () => sweepUnattached(site, site.now()),
  ]) {
    await step();
    await recordCounts();
  }
  expect(counts.filter(([counted, is]) => counted !== is)).toEqual([]);
  expect(new Set(counts.map(([counted]) => counted)).size).toBeGreaterThan(9);
  expect(counts[8]?.[0]).toBeGreaterThan(chunkBytes);
});

describe("a member whose storage is full", () => {
  beforeEach(async () => {
    await publish("tides");
    await save("A text of some length.");
    world.site.settings.storagePerMember = (await used()) / 1024 / 1024;
  });

  test("is refused everywhere, and nothing is stored", async () => {
    const { site, maren } = world;
    const before = await used();
    const full = { message: expect.stringMatching(/^You’ve used all \d+ KB of your storage$/) };
    await expect(publish("more")).rejects.toMatchObject({ ...full, field: "featuredImage" });
    await expect(storeDraftPicture(site, maren, "text", await picture("b.png", 400, 300))).rejects.toMatchObject(full);
    await expect(storeDraftPicture(site, maren, "featured", await picture("b.png", 400, 300))).rejects.toMatchObject(full);
    await expect(attach("one")).rejects.toMatchObject(full);
    expect(await updateProfile(site, maren, profile, await picture("c.png"))).toEqual({ pictureFailed: true });
    await expect(chunk("a", Buffer.alloc(10))).rejects.toMatchObject(full);
    await expect(chunk("b", Buffer.alloc(10), { start: chunkBytes, total: chunkBytes + 10 })).rejects.toMatchObject(full);
    await expect(save("A text of some length, and more.", { count: 2 })).rejects.toMatchObject(full);
    expect(await used()).toBe(before);
  });

  test("can shorten and delete, and others can store", async () => {
    await save("A text of", { count: 2 });
    await deletePost(world.site, world.maren, "tides");
    await save("A text of some length, and more.", { count: 3 });
    expect(await chunk("a", Buffer.alloc(10), undefined, false, world.tobias)).toBe("a");
  });

  test("keeps one earlier version of each text, the newest", async () => {
    const { site, maren } = world;
    const before = await used();
    const length = "A text of some length.".length;
    let { revision } = await save("A text of some length.");
    for (let n = 0; n < 10; n++) {
      world.clock.advance(1);
      ({ revision } = await save(String(n).repeat(length), { base: revision, writer: `page-number-${n}` }));
      await updatePost(site, maren, "tides", { title: "Tides", content: `${n}nce.`, status: "active" }, { version: n + 1 });
    }
    const versions = await site.db.selectFrom("versions").select("markdown").orderBy("markdown").execute();
    expect(versions.map(({ markdown }) => markdown)).toEqual(["8".repeat(length), "8nce."]);
    expect(await used()).toBe(before + length + "Once.".length);
    const more = save("ä".repeat(length), { base: revision, writer: "another-page" });
    await expect(more).rejects.toThrow("You’ve used all");
  });
});

test("parallel uploads can't exceed it together", async () => {
  world.site.settings.storagePerMember = 1;
  const kilobytes = 300;
  const all = await Promise.allSettled(["a", "b", "c", "d", "e", "f"].map((id) => chunk(id, Buffer.alloc(kilobytes * 1024))));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(await used()).toBe(3 * kilobytes * 1024);
});

test("the hourly limit counts each chunk and resets", async () => {
  const { site, maren } = world;
  await chunk("large", Buffer.alloc(chunkBytes), { start: 0, total: 2 * chunkBytes + 10 });
  await chunk("large", Buffer.alloc(chunkBytes), { start: chunkBytes, total: 2 * chunkBytes + 10 });
  const row = await site.db.selectFrom("member_storage").selectAll().where("userId", "=", maren.id).executeTakeFirstOrThrow();
  expect(Number(row.hourBytes)).toBe(2 * chunkBytes);
  await site.db.updateTable("member_storage").set({ hourBytes: uploadBytesPerHour }).execute();
  const tooMany = { code: "too-many", retryAfterSeconds: expect.any(Number) };
  await expect(chunk("large", Buffer.alloc(10), { start: 2 * chunkBytes, total: 2 * chunkBytes + 10 })).rejects.toMatchObject(tooMany);
  await expect(publish("tides")).rejects.toMatchObject(tooMany);
  await expect(attach("one")).rejects.toMatchObject(tooMany);
  expect(await updateProfile(site, maren, profile, await picture("c.png"))).toEqual({ pictureFailed: true });
  world.clock.advance(60 * 60_000);
  await publish("tides");
});

test("before the email address is confirmed no file can be sent to others", async () => {
  const { site, salma } = world;
  const confirmFirst = "Please confirm your email address first";
  await expect(chunk("a", Buffer.alloc(10), undefined, true, salma)).rejects.toThrow(confirmFirst);
  await expect(changeProfile(site, salma, { bio: "Sails" }, await picture())).rejects.toThrow(confirmFirst);
  expect(await updateProfile(site, salma, { ...profile, userName: "Salma R" }, await picture())).toEqual({ pictureFailed: true });
  expect(await findProfile(site, salma.id)).toMatchObject({ userName: "Salma R", bio: "", profileImage: null });
  await chunk("b", Buffer.alloc(10), undefined, false, salma);
  await expect(changeFile(site, salma, "b", { public: true })).rejects.toThrow(confirmFirst);
});
