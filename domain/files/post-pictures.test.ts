import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { originalKey } from "#platform/files/file-keys.ts";
import { animatedImage, gifBomb, picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import type { Upload } from "./files.server.ts";
import { pictureTexts } from "./picture.ts";
import { sizedPictures, storeFeaturedPicture, storePostPicture } from "./post-files.server.ts";
import { readVariant } from "./serve.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const bytesOf = async (fileId: string) => (await world.site.files.get(originalKey(fileId))) ?? Buffer.alloc(0);
const send = (upload: Upload) => storePostPicture(world.site, world.maren, upload);

describe("an animated picture in a text", () => {
  test.each(["gif", "webp"] as const)("as %s keeps its frames, delays and loop count", async (format) => {
    const { id, url: address } = await send(await animatedImage(3, 60, 40, format));
    const { format: kept, pages, delay, loop, width, pageHeight } = await sharp(await bytesOf(id), { animated: true }).metadata();
    expect({ kept, pages, delay, loop }).toEqual({ kept: "webp", pages: 3, delay: [50, 60, 70], loop: 3 });
    expect([width, pageHeight]).toEqual([60, 40]);
    expect(address).toBe(`/files/${id}`);
  });

  test("is scaled down with all its frames", async () => {
    const { id } = await send(await animatedImage(2, 2400, 100));
    const { pages, width, pageHeight } = await sharp(await bytesOf(id), { animated: true }).metadata();
    expect([pages, width, pageHeight]).toEqual([2, 1200, 50]);
    const { width: noted, height } = await world.site.db.selectFrom("files").select(["width", "height"]).executeTakeFirstOrThrow();
    expect([noted, height]).toEqual([1200, 50]);
  });

  test("is still in resized variants", async () => {
    const { id } = await send(await animatedImage(3));
    expect((await sharp(await readVariant(world.site, id, 320, "webp")).metadata()).pages ?? 1).toBe(1);
  });

  test.each([
    ["of more frames than anybody watches", gifBomb(1_001, 2, 2)],
    ["of nearly 10 MB and half a million frames", gifBomb(440_000, 1, 1)],
    ["of more pixels in all its frames than one picture may have", gifBomb(11, 2_000, 2_000)],
  ])("%s is refused with the reason", async (_, bomb) => {
    await expect(send(bomb)).rejects.toMatchObject({ code: "invalid", message: pictureTexts.animationTooLong });
  });

  test("with the maximum of frames is accepted", async () => {
    const { id } = await send(gifBomb(1_000, 2, 2));
    expect((await sharp(await bytesOf(id), { animated: true }).metadata()).format).toBe("webp");
  });

  test("that is broken after its first frame is refused", async () => {
    const { name, bytes } = await animatedImage(4, 300, 300, "webp");
    const broken = Buffer.from(bytes).fill(0xff, bytes.length - 60);
    await expect(send({ name, bytes: broken })).rejects.toMatchObject({ message: pictureTexts.wrongType });
  });
});

test("a picture that isn't animated is shown resized", async () => {
  const { id, url: address } = await send(await picture("a.gif", 60, 30));
  expect(address).toBe(`/files/${id}/1200.webp`);
});

test("a text has the sizes of its writer’s own pictures only", async () => {
  const { site, maren, tobias } = world;
  const still = await send(await picture("still.png", 1500, 1000));
  const moving = await send(await animatedImage(3, 60, 40));
  const sized = await sizedPictures(site, maren.id, [still.id, moving.id]);
  expect(sized[still.url]).toMatchObject({
    width: 1200,
    height: 800,
    srcSet: expect.stringContaining(`/files/${still.id}/640.webp 640w`) as string,
  });
  expect(sized[moving.url]).toEqual({ width: 60, height: 40 });
  expect(await sizedPictures(site, tobias.id, [still.id, moving.id])).toEqual({});
});

test("a featured picture is not animated", async () => {
  const { id } = await storeFeaturedPicture(world.site, world.maren, await animatedImage(3, 300, 200));
  const { format, pages = 1 } = await sharp(await bytesOf(id)).metadata();
  expect([format, pages]).toEqual(["jpeg", 1]);
});
