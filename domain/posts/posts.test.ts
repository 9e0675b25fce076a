import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { originalKey } from "#platform/files/file-keys.ts";
import { noise, picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { sweepUnattached, type Upload } from "../files/files.server.ts";
import { pictureMaxBytes } from "../files/picture.ts";
import { storeFeaturedPicture } from "../files/post-files.server.ts";
import { readPost } from "./post-reads.server.ts";
import { createPost, PostInput, previewContent, renderVersion } from "./posts.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const post = (chosen: Partial<PostInput> = {}): PostInput => ({
  title: "Night Bus, Window Seat",
  slug: "night-bus-window-seat",
  content: "The **1:40** from the hospital.",
  status: "active",
  ...chosen,
});

const rows = async () => {
  const posts = await world.site.db.selectFrom("posts").select("id").execute();
  const files = await world.site.db.selectFrom("files").select(["id", "attachedAt"]).execute();
  return { posts, files };
};
const keptFiles = () => {
  const folder = join(world.dataDir, "files");
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe("the post form (§5)", () => {
  const messages = async (fields: Record<string, unknown>) => {
    const result = await PostInput.safeParseAsync({ title: "A", slug: "a", content: "", status: "active", ...fields });
    return result.error?.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`) ?? [];
  };
  test("a title is required", async () => {
    expect(await messages({ title: undefined })).toEqual(["title: Title is required"]);
    expect(await messages({ title: "   " })).toEqual(["title: Title is required"]);
  });
  test("a title has a maximum length", async () => {
    expect(await messages({ title: "a".repeat(201) })).toEqual(["title: Title cannot exceed 200 characters"]);
  });
  test("a slug is required", async () => {
    expect(await messages({ slug: undefined })).toEqual(["slug: Slug is required"]);
    expect(await messages({ slug: "---" })).toEqual(["slug: Slug is required"]);
  });
  test("a slug of 35 characters is accepted, one of 36 is not", async () => {
    expect(await messages({ slug: "a".repeat(35) })).toEqual([]);
    expect(await messages({ slug: "a".repeat(36) })).toEqual(["slug: Slug cannot exceed 35 characters"]);
  });
  test("a typed slug is normalized", async () => {
    expect((await PostInput.parseAsync({ ...post(), slug: " My Slug! " })).slug).toBe("my-slug");
  });
  test("a status is required and one of two", async () => {
    expect(await messages({ status: undefined })).toEqual(["status: Status is required"]);
    expect(await messages({ status: "deleted" })).toEqual(["status: Status is required"]);
  });
  test("a line break is one character, in any encoding of the form", async () => {
    expect((await PostInput.parseAsync({ ...post(), content: "one\r\ntwo\rthree\n" })).content).toBe("one\ntwo\nthree\n");
  });
  test("a text has a maximum length", async () => {
    expect(await messages({ content: "a".repeat(500_001) })).toEqual(["content: Content cannot exceed 500,000 characters"]);
  });
});

describe("publishing a story", () => {
  test("saves text and picture and makes them public", async () => {
    const id = (await createPost(world.site, world.maren, post(), await picture())).id;
    const read = await readPost(world.site, null, id);
    expect(read).toMatchObject({ id: "night-bus-window-seat", title: "Night Bus, Window Seat", userName: "Maren Oduya", status: "active" });
    expect(read.content).toBe("<p>The <strong>1:40</strong> from the hospital.</p>");
    expect(read).toMatchObject({ summary: "The 1:40 from the hospital.", words: 6, views: 0, likesCount: 0, featured: false });
    expect((await rows()).files).toEqual([{ id: read.featuredImage, attachedAt: world.site.now() }]);
  });
  test("crops the picture to 1200x630 and removes its metadata", async () => {
    const original = await sharp((await picture("holiday.jpg", 1600, 900)).bytes)
      .withExif({ IFD0: { Copyright: "the place it was taken" } })
      .jpeg()
      .toBuffer();
    const id = (await createPost(world.site, world.maren, post(), { name: "holiday.png", bytes: original })).id;
    const { featuredImage } = await readPost(world.site, null, id);
    const kept = await world.site.files.get(originalKey(featuredImage ?? ""));
    const { format, width, height, exif } = await sharp(kept).metadata();
    expect({ format, width, height, exif }).toEqual({ format: "jpeg", width: 1200, height: 630, exif: undefined });
    const file = await world.site.db.selectFrom("files").select("name").executeTakeFirstOrThrow();
    expect(file.name).toBe("holiday_optimized.jpg");
  });
  test("returns the same story if sent again after a lost answer", async () => {
    const first = (await createPost(world.site, world.maren, post(), await picture())).id;
    expect(await createPost(world.site, world.maren, post(), await picture())).toEqual({ id: first, held: false });
    expect((await rows()).posts).toHaveLength(1);
    expect(keptFiles()).toHaveLength(1);
  });
  test("gets the picture that was chosen after its answer was lost", async () => {
    const lost = await createPost(world.site, world.maren, post(), await picture());
    const pictureId = async () => (await readPost(world.site, world.maren, lost.id)).featuredImage;
    const other = await storeFeaturedPicture(world.site, world.maren, await picture("door.png", 900));
    const again = (upload?: Upload, chosen?: string) => createPost(world.site, world.maren, post(), upload, { pictureId: chosen });
    expect(await again(undefined, other.id)).toEqual(lost);
    expect(await pictureId()).toBe(other.id);
    expect(await again(undefined, other.id)).toEqual(lost);
    expect(await again(await picture())).toEqual(lost);
    expect(await pictureId()).not.toBe(other.id);
    expect((await rows()).posts).toHaveLength(1);
    expect(keptFiles()).toHaveLength(1);
  });

  test("returns the same story if sent again while the first request is running, also for the last one allowed", async () => {
    world.site.settings.maxPostsPerUser = 1;
    const both = await Promise.all([1, 2].map(async () => createPost(world.site, world.maren, post(), await picture())));
    expect(both).toEqual([1, 2].map(() => ({ id: "night-bus-window-seat", held: false })));
    expect((await rows()).posts).toHaveLength(1);
    expect(keptFiles()).toHaveLength(1);
  });
  test("has an event for a published story, not for a draft", async () => {
    const received: unknown[] = [];
    world.site.events.subscribe("posts", ({ type, data }) => received.push({ type, data }));
    await createPost(world.site, world.maren, post({ slug: "draft", status: "inactive" }), await picture());
    await createPost(world.site, world.maren, post(), await picture());
    await expect
      .poll(() => received)
      .toEqual([{ type: "post.published", data: { id: "night-bus-window-seat", userId: world.maren.id, userName: world.maren.name } }]);
  });
});

describe("a story that is refused leaves nothing behind", () => {
  const refused = async (attempt: Promise<unknown>, message: string | RegExp) => {
    await expect(attempt).rejects.toThrow(message);
    expect(await rows()).toEqual({ posts: [], files: [] });
    expect(keptFiles()).toEqual([]);
  };
  test("without a picture", async () => {
    await refused(createPost(world.site, world.maren, post(), undefined), "Featured image is required");
  });
  test("with a text renamed to .png", async () => {
    const upload = { name: "holiday.png", bytes: Buffer.from("not a picture at all") };
    await refused(createPost(world.site, world.maren, post(), upload), "Please select a valid image file");
  });
  test("with an SVG, which can hold script", async () => {
    const upload = { name: "art.png", bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>') };
    await refused(createPost(world.site, world.maren, post(), upload), "Please select a valid image file");
  });
  test("with a picture of 11 MB", async () => {
    await refused(createPost(world.site, world.maren, post(), await noise(11)), "Image size should be less than 10MB");
  });
  test("by a visitor", async () => {
    await refused(createPost(world.site, null, post(), await picture()), "Please sign in first");
  });
  test("by a member who has not confirmed the address", async () => {
    await refused(createPost(world.site, world.salma, post(), await picture()), "Please confirm your email address first");
  });
  test("with a text that takes too long to render", async () => {
    const { createRenderer } = await import("#platform/markup/renderer.ts");
    const renderer = createRenderer({ limitMs: 300 });
    const site = { ...world.site, renderer };
    await refused(createPost(site, world.maren, post({ content: "*a_ ".repeat(20_000) }), await picture()), /nested too deeply/);
    await renderer.close();
  });
});

describe("a preview", () => {
  test("is for members, also before the address is confirmed, except during a suspension", async () => {
    const suspended = { ...world.maren, suspendedUntil: world.site.now() + 60_000 };
    await expect(previewContent(world.site, suspended, "One.")).rejects.toThrow("Your account is suspended");
    expect(await renderVersion(world.site, suspended, "*One*")).toBe("<pre>*One*</pre>");
    await expect(previewContent(world.site, null, "One.")).rejects.toMatchObject({ code: "sign-in-required" });
    for (const member of [world.maren, world.salma])
      expect(await previewContent(world.site, member, "One.")).toEqual({ html: "<p>One.</p>", fromElsewhere: 0 });
    expect(await renderVersion(world.site, world.salma, "*One*")).toBe("<p><em>One</em></p>");
  });

  test("is refused beyond the hourly share, with the time to wait", async () => {
    const { createRenderer } = await import("#platform/markup/renderer.ts");
    const renderer = createRenderer({ hourlyMs: 1e-6 });
    const site = { ...world.site, renderer };
    expect((await previewContent(site, world.maren, "One.")).html).toBe("<p>One.</p>");
    await expect(previewContent(site, world.maren, "Two.")).rejects.toMatchObject({
      code: "too-many",
      retryAfterSeconds: expect.any(Number),
    });
    expect((await previewContent(site, world.tobias, "Two.")).html).toBe("<p>Two.</p>");
    await renderer.close();
  });
});

test("a picture of exactly 10 MB is accepted, one byte more is not", async () => {
  const { bytes } = await picture("edge.jpg", 1600, 900);
  const padded = (size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.byteLength)]);
  await createPost(world.site, world.maren, post(), { name: "edge.jpg", bytes: padded(pictureMaxBytes) });
  const more = createPost(world.site, world.maren, post({ slug: "more" }), { name: "edge.jpg", bytes: padded(pictureMaxBytes + 1) });
  await expect(more).rejects.toThrow("Image size should be less than 10MB");
});

describe("a slug that is taken", () => {
  test("is refused with a free one to use instead", async () => {
    await createPost(world.site, world.maren, post(), await picture());
    const again = createPost(world.site, world.tobias, post({ content: "Another bus." }), await picture());
    await expect(again).rejects.toMatchObject({
      ...{ code: "conflict", field: "slug" },
      details: { free: "night-bus-window-seat-2" },
    });
    expect((await rows()).files).toHaveLength(1);
  });
  test("is refused with a free one, however many stories have the title", async () => {
    for (const slug of ["bus", ...Array.from({ length: 8 }, (_, index) => `bus-${index + 2}`)])
      await createPost(world.site, world.maren, post({ slug, status: "inactive" }), await picture());
    const again = createPost(world.site, world.tobias, post({ slug: "bus" }), await picture());
    await expect(again).rejects.toMatchObject({ code: "conflict", details: { free: expect.stringMatching(/^bus-[a-z2-9]{6}$/) } });
  });
  test("is given to one of two stories that are published at once", async () => {
    const both = await Promise.allSettled([
      createPost(world.site, world.maren, post({ content: "One." }), await picture()),
      createPost(world.site, world.tobias, post({ content: "Two." }), await picture()),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await rows()).posts).toHaveLength(1);
    expect(keptFiles()).toHaveLength(1);
  });
});

test("the limit of stories per member counts drafts too", async () => {
  world.site.settings.maxPostsPerUser = 1;
  await createPost(world.site, world.maren, post({ status: "inactive" }), await picture());
  const more = createPost(world.site, world.maren, post({ slug: "one-more" }), await picture());
  await expect(more).rejects.toThrow("You have reached the limit of 1 posts");
});

test("stories sent at the same time don't exceed the limit", async () => {
  world.site.settings.maxPostsPerUser = 2;
  const cover = await picture();
  const slugs = ["one", "two", "three", "four", "five", "six"];
  const all = await Promise.allSettled(slugs.map((slug) => createPost(world.site, world.maren, post({ slug }), cover)));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const { posts, files } = await rows();
  expect([posts.length, files.length]).toEqual([2, 2]);
});

test("a draft sent again as a story is not taken for published", async () => {
  await createPost(world.site, world.maren, post({ status: "inactive" }), await picture());
  await expect(createPost(world.site, world.maren, post(), await picture())).rejects.toMatchObject({ field: "slug" });
  await expect(createPost(world.site, world.maren, post({ status: "inactive" }), await picture())).resolves.toMatchObject({ held: false });
  expect(await world.site.db.selectFrom("posts").select("status").execute()).toEqual([{ status: "inactive" }]);
});

describe("after a crash between the picture and the story", () => {
  test("the next start removes the picture", async () => {
    const site = { ...world.site, renderer: world.site.renderer };
    const { storeFeaturedPicture } = await import("../files/post-files.server.ts");
    await storeFeaturedPicture(site, world.maren, await picture());
    expect(keptFiles()).toHaveLength(1);
    expect(await sweepUnattached(site, site.now())).toBe(1);
    expect(await rows()).toEqual({ posts: [], files: [] });
    expect(keptFiles()).toEqual([]);
  });
  test("pictures of stories stay", async () => {
    await createPost(world.site, world.maren, post(), await picture());
    expect(await sweepUnattached(world.site, world.site.now())).toBe(0);
    expect(keptFiles()).toHaveLength(1);
  });
});
