import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { s3Store } from "#platform/files/s3.ts";
import type { S3Config } from "#platform/files/s3-url.ts";
import { picture } from "../../tests/support/pictures.ts";
import { type RunningS3, startS3 } from "../../tests/support/s3.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { readPost } from "../posts/post-reads.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { updateProfile } from "../profiles/profiles.server.ts";
import { sweepUnattached } from "./files.server.ts";
import { storeFeaturedPicture } from "./post-files.server.ts";
import { readVariant } from "./serve.server.ts";

const post = { title: "Night Bus", slug: "night-bus", content: "The 1:40.", status: "active" } as const;
const notStored = { code: "unavailable", message: "the picture couldn’t be saved. Please try again." };

let s3: RunningS3;
let place: S3Config;
let world: World;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());
beforeEach(async () => {
  place = s3.place();
  world = await openWorld({ s3: place });
});
afterEach(() => world.close());

const publish = async (site = world.site) => (await createPost(site, world.maren, post, await picture())).id;
const sweep = () => sweepUnattached(world.site, world.site.now());
const rows = async () => {
  const posts = await world.site.db.selectFrom("posts").select("id").execute();
  const files = await world.site.db.selectFrom("files").select("id").execute();
  return { posts: posts.length, files: files.length, keys: s3.keys(place).length };
};

describe("a story published on S3", () => {
  test("has its picture there, in the requested sizes", async () => {
    await publish();
    const { featuredImage: id } = await readPost(world.site, null, "night-bus");
    expect(s3.keys(place)).toEqual([`${id}/original`]);
    await readVariant(world.site, String(id), 96, "webp");
    expect(s3.keys(place)).toEqual([`${id}/96.webp`, `${id}/original`]);
    expect(await sweep()).toBe(0);
    expect(await rows()).toEqual({ posts: 1, files: 1, keys: 2 });
  });

  test("leaves nothing there if it is refused", async () => {
    await publish();
    await expect(createPost(world.site, world.tobias, post, await picture())).rejects.toMatchObject({ code: "conflict" });
    expect(await rows()).toEqual({ posts: 1, files: 1, keys: 1 });
  });

  test("leaves nothing there once its picture is unused", async () => {
    await publish();
    const { featuredImage: id } = await readPost(world.site, null, "night-bus");
    await readVariant(world.site, String(id), 96, "webp");
    await world.site.db.deleteFrom("posts").execute();
    await world.site.db.updateTable("files").set({ attachedAt: null }).execute();
    expect(await sweep()).toBe(1);
    expect(await rows()).toEqual({ posts: 0, files: 0, keys: 0 });
  });
});

test("an upload that was swept before its story was saved is refused", async () => {
  const swept = {
    ...world.site.files,
    put: async (key: string, bytes: Uint8Array) => {
      await world.site.files.put(key, bytes);
      await sweep();
    },
  };
  await expect(publish({ ...world.site, files: swept })).rejects.toMatchObject(notStored);
  expect(await rows()).toEqual({ posts: 0, files: 0, keys: 0 });
});

describe("while S3 is down", () => {
  beforeEach(() => s3.kill());
  afterEach(() => s3.start());

  test("a story is refused, and partial files are swept when S3 is back", async () => {
    await expect(publish()).rejects.toMatchObject(notStored);
    expect(await rows()).toEqual({ posts: 0, files: 1, keys: 0 });
    expect(await sweep()).toBe(0);
    await s3.start();
    expect(await sweep()).toBe(1);
    expect(await rows()).toEqual({ posts: 0, files: 0, keys: 0 });
    expect(await publish()).toBe("night-bus");
    expect(await rows()).toEqual({ posts: 1, files: 1, keys: 1 });
    await s3.kill();
  });

  test("a profile is saved without its picture", async () => {
    const profile = { userName: "M. Oduya", bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
    expect(await updateProfile(world.site, world.maren, profile, await picture())).toEqual({ pictureFailed: true });
    const { userName } = await world.site.db
      .selectFrom("profiles")
      .select("userName")
      .where("userId", "=", world.maren.id)
      .executeTakeFirstOrThrow();
    expect(userName).toBe("M. Oduya");
  });

  test("a sweep of many files stops at the first", async () => {
    for (let i = 0; i < 5; i++)
      await expect(storeFeaturedPicture(world.site, world.maren, await picture())).rejects.toMatchObject(notStored);
    let tries = 0;
    const deleteFolder = async (folder: string) => {
      tries++;
      await world.site.files.deleteFolder(folder);
    };
    expect(await sweepUnattached({ ...world.site, files: { ...world.site.files, deleteFolder } }, world.site.now())).toBe(0);
    expect(tries).toBe(1);
  });
});

test("a file that can't be removed doesn't stop the sweep", async () => {
  const stored: { id: string }[] = [];
  for (let i = 0; i < 3; i++) stored.push(await storeFeaturedPicture(world.site, world.maren, await picture()));
  const deleteFolder = (folder: string) =>
    folder === stored[0]?.id ? Promise.reject(new Error("AccessDenied")) : world.site.files.deleteFolder(folder);
  expect(await sweepUnattached({ ...world.site, files: { ...world.site.files, deleteFolder } }, world.site.now())).toBe(2);
  expect((await rows()).files).toBe(1);
});

test("while S3 hangs, a story is refused in time", async () => {
  const files = s3Store(place, 500);
  s3.freeze();
  const refused = await publish({ ...world.site, files }).catch((error) => error);
  s3.thaw();
  await files.close();
  expect(refused).toMatchObject(notStored);
  await sweep();
  expect(await rows()).toMatchObject({ posts: 0, files: 0 });
});

test("while S3 refuses writes, resized pictures are still served", async () => {
  await publish();
  const { featuredImage: id } = await readPost(world.site, null, "night-bus");
  const files = { ...world.site.files, put: () => Promise.reject(new Error("SlowDown")) };
  expect((await readVariant({ ...world.site, files }, String(id), 96, "webp")).byteLength).toBeGreaterThan(0);
  expect(s3.keys(place)).toEqual([`${id}/original`]);
});
