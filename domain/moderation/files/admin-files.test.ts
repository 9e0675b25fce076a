import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listAudit } from "#domain/audit/audit.server.ts";
import { emptyDraft } from "#domain/drafts/draft.ts";
import { saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import { chunkBytes, findServedFile, storeChunk } from "#domain/files/api-files.server.ts";
import { sweepUnattached } from "#domain/files/files.server.ts";
import { storePostPicture } from "#domain/files/post-files.server.ts";
import { findReadableFile } from "#domain/files/serve.server.ts";
import { acquireLease, releaseLease } from "#domain/jobs/lease.server.ts";
import { sendAttachment } from "#domain/messages/attachments.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import type { Member } from "#domain/site.ts";
import { writeCursor } from "#platform/database/keyset.ts";
import { days } from "#platform/time.ts";
import { picture } from "../../../tests/support/pictures.ts";
import { updateStatistics } from "../../../tests/support/queries.ts";
import { plansOf, sortSteps } from "../../../tests/support/query-plans.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { addMember, openWorld, signIn, type World } from "../../../tests/support/world.ts";
import { type FileQuery, listAllFiles, readAdminFile, removeAnyFile } from "./admin-files.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const list = (chosen: Partial<FileQuery> = {}) =>
  listAllFiles(world.site, world.ruth, { sort: "newest", ownerId: "", after: "", limit: 50, ...chosen });
const send = (id: string, bytes: number, who = world.maren) =>
  storeChunk(world.site, who, {
    id,
    name: `${id}.zip`,
    type: "application/zip",
    bytes: Buffer.alloc(bytes),
    publicly: id.startsWith("public"),
  });

describe("the list of files", () => {
  test("shows owner and use of each", async () => {
    const { site, maren, tobias } = world;
    const within = await storePostPicture(site, maren, await picture("within.png", 60, 30));
    const draft = { ...emptyDraft, content: `![](/files/${within.id})` };
    const nothing = { postId: null, postVersion: null, base: null };
    await saveWorkingCopy(site, maren, {
      id: "aaaaaaaaaaaaaaaaaaaaaaaa",
      userId: maren.id,
      ...nothing,
      writer: "her-page",
      count: 1,
      draft,
    });
    await createPost(
      site,
      maren,
      { title: "Tides", slug: "tides", content: "Once.", status: "active" },
      await picture("cover.png", 60, 30),
    );
    const words = { userName: "Maren", bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
    await updateProfile(site, maren, words, await picture("face.png", 60, 60));
    await sendAttachment(site, maren, { to: tobias.id, sendId: "1", upload: await picture("map.png", 60, 30) });
    await send("public-one", 10, tobias);
    const of = { start: chunkBytes, total: chunkBytes + 10 };
    await storeChunk(site, tobias, { id: "half", name: "half.zip", type: "application/zip", bytes: Buffer.alloc(10), of, publicly: false });
    const { files } = await list();
    const shown = Object.fromEntries(files.map(({ name, ownerName, uses }) => [name, [ownerName, ...uses.map(({ kind }) => kind)]]));
    expect(shown).toEqual({
      "within_optimized.webp": ["Maren", "unfinished"],
      "cover_optimized.jpg": ["Maren", "story"],
      "face_optimized.jpg": ["Maren", "profile"],
      "map.png": ["Maren", "message"],
      "public-one.zip": ["Tobias Lindqvist", "public"],
      "half.zip": ["Tobias Lindqvist", "arriving"],
    });
  });

  test("is paged by date or size, and filtered by member", async () => {
    for (let n = 1; n <= 7; n++) await send(`file-${n}`, n % 3 === 0 ? 30 : 10 * n, n === 4 ? world.tobias : world.maren);
    for (const sort of ["newest", "largest"] as const) {
      const seen: string[] = [];
      for (let after: string | null = ""; after !== null; ) {
        const page = await list({ sort, after, limit: 3 });
        seen.push(...page.files.map(({ id }) => id));
        after = page.next;
      }
      expect(seen.toSorted()).toEqual(["file-1", "file-2", "file-3", "file-4", "file-5", "file-6", "file-7"]);
    }
    const { files } = await list({ sort: "largest" });
    expect(files.map(({ size }) => size)).toEqual([70, 50, 40, 30, 30, 20, 10]);
    expect((await list({ ownerId: world.tobias.id })).files.map(({ id }) => id)).toEqual(["file-4"]);
    expect((await list({ after: "nonsense" })).files).toHaveLength(7);
  });

  test("uses indexes for every order", async () => {
    await send("one", 10);
    await updateStatistics(world.site);
    for (const chosen of [
      {},
      { sort: "largest" },
      { ownerId: world.maren.id },
      { after: writeCursor([5, "x"]) },
      { sort: "largest", after: writeCursor([5, "x"]) },
    ] as const) {
      const plans = await plansOf(world.site, (site) =>
        listAllFiles(site, world.ruth, { sort: "newest", ownerId: "", after: "", limit: 50, ...chosen }),
      );
      const whole = plans.filter((step) =>
        /^SCAN files(?! USING)|Seq Scan on "?(files|posts|messages|profiles|working_copies|copy_files)/.test(step),
      );
      expect([chosen, whole, sortSteps(plans)]).toEqual([chosen, [], []]);
    }
  });

  test("requires the permission and is logged", async () => {
    for (const who of [null, world.maren, world.salma]) {
      await expect(listAllFiles(world.site, who, { sort: "newest", ownerId: "", after: "", limit: 5 })).rejects.toThrow();
      await expect(readAdminFile(world.site, who, "x")).rejects.toThrow();
      await expect(removeAnyFile(world.site, who, "x", "because")).rejects.toThrow();
    }
    await list();
    const { entries } = await listAudit(world.site, world.ruth, { limit: 5 });
    expect(entries.map(({ action }) => action)).toEqual(["files.listed"]);
  });
});

test("an administrator opens and removes a file with a reason, and both are logged", async () => {
  const { site, maren, ruth } = world;
  await send("a-file", 10);
  const web = openWeb(world);
  const { cookie } = await signIn(world, ruth, { reauthenticated: true });
  const unverified = await signIn(world, ruth);
  const other = await signIn(world, world.tobias);
  expect((await web.request("/files/a-file", { headers: { cookie: other.cookie } })).status).toBe(404);
  expect((await web.request("/files/a-file", { headers: { cookie: unverified.cookie } })).status).toBe(403);
  expect((await web.request("/files/a-file", { headers: { cookie } })).status).toBe(200);
  const page = await web.request("/admin/files", { headers: { cookie } });
  expect(await page.text()).toContain("a-file.zip");
  const without = await web.request("/admin/files/a-file", formPost({ reason: " " }, { cookie }));
  expect([without.status, (await without.text()).includes("Add a reason")]).toEqual([422, true]);
  const removed = await web.request("/admin/files/a-file", formPost({ reason: "Stolen goods" }, { cookie }));
  expect(removed.headers.get("location")).toBe("/admin/files");
  expect((await web.request("/admin/files/a-file", { headers: { cookie } })).status).toBe(404);
  const { entries } = await listAudit(site, ruth, { limit: 9 });
  expect(entries.map(({ action, after }) => [action, after?.reason])).toEqual([
    ["file.removed", "Stolen goods"],
    ["files.listed", undefined],
    ["file.opened", undefined],
  ]);
  expect(entries[0]?.before).toMatchObject({ name: "a-file.zip", owner: maren.id });
});

test("moderators see that private files exist but can't open them", async () => {
  const { site, maren } = world;
  const moderator = await addMember(world, "Moderator", { staff: "moderator" });
  await send("a-file", 10);
  await send("public-file", 10);
  await createPost(site, maren, { title: "Tides", slug: "tides", content: "Once.", status: "active" }, await picture("cover.png", 60, 30));
  const { files } = await listAllFiles(site, moderator, { sort: "newest", ownerId: "", after: "", limit: 9 });
  expect(files.map(({ name }) => name).toSorted()).toEqual(["Private file", "cover_optimized.jpg", "public-file.zip"]);
  await expect(findReadableFile(site, moderator, "a-file")).rejects.toMatchObject({ code: "not-found" });
});

test("moderators don't see the title, the address or a picture's name of someone's draft", async () => {
  const { site, maren, ruth } = world;
  const moderator = await addMember(world, "Moderator", { staff: "moderator" });
  const { id } = await storePostPicture(site, maren, await picture("within.png", 60, 30));
  const draft = { title: "Tides", slug: "tides", content: `![](/files/${id})`, status: "inactive" } as const;
  await createPost(site, maren, draft, await picture("cover.png", 60, 30));
  const seenBy = async (viewer: Member) => {
    const { files } = await listAllFiles(site, viewer, { sort: "newest", ownerId: "", after: "", limit: 9 });
    return files.map(({ name, uses }) => ({ name, uses })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  };
  const hidden = { name: "Private file", uses: [{ kind: "unfinished" }] };
  expect(await seenBy(moderator)).toEqual([hidden, hidden]);
  const uses = [{ kind: "story", id: "tides", title: "Tides" }];
  expect(await seenBy(ruth)).toEqual(["cover_optimized.jpg", "within_optimized.webp"].map((name) => ({ name, uses })));
});

test("removing a file removes it wherever it is used", async () => {
  const { site, maren, tobias, ruth } = world;
  await createPost(site, maren, { title: "Tides", slug: "tides", content: "Once.", status: "active" }, await picture("cover.png", 60, 30));
  await sendAttachment(site, maren, { to: tobias.id, sendId: "1", upload: await picture("map.png", 60, 30) });
  for (const { id } of (await list()).files) await removeAnyFile(site, ruth, id, "Not ours to show");
  expect((await list()).files).toEqual([]);
  expect(await site.db.selectFrom("posts").select("featuredImage").executeTakeFirst()).toEqual({ featuredImage: null });
  expect(await site.db.selectFrom("messages").select("fileId").executeTakeFirst()).toEqual({ fileId: null });
});

test("a file removed during a backup is served to nobody and can't be used again", async () => {
  const { site, maren, ruth } = world;
  await send("public-file", 10);
  const { id } = await storePostPicture(site, maren, await picture("within.png", 60, 30));
  const post = { title: "Tides", slug: "tides", content: `![](/files/${id})`, status: "active" } as const;
  await createPost(site, maren, post, await picture("cover.png", 60, 30));
  expect(await acquireLease(site, "a backup")).toBe(true);
  for (const each of ["public-file", id]) await removeAnyFile(site, ruth, each, "Not ours to show");
  await expect(findServedFile(site, null, "public-file")).rejects.toMatchObject({ code: "not-found" });
  await createPost(site, maren, { ...post, slug: "tides-again" }, await picture("cover.png", 60, 30));
  await expect(findServedFile(site, maren, id)).rejects.toMatchObject({ code: "not-found" });
  await releaseLease(site, "a backup");
  world.clock.advance(days(2));
  await sweepUnattached(site, site.now());
  expect((await list()).files.map(({ name }) => name)).toEqual(["cover_optimized.jpg", "cover_optimized.jpg"]);
});
