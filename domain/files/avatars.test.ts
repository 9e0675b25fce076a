import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { storeAvatar } from "./avatars.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const red = { r: 220, g: 30, b: 20 };
const blue = { r: 20, g: 30, b: 220 };
const half = (width: number, height: number, background: typeof red) => ({ create: { width, height, channels: 3 as const, background } });

/** Red on the left, blue on the right. */
const twoHalves = (width = 600, height = 400) =>
  sharp(half(width, height, red)).composite([{ input: half(width / 2, height, blue), left: width / 2, top: 0 }]);

async function kept(bytes: Uint8Array, name = "me.png") {
  const { id } = await storeAvatar(world.site, world.maren, { name, bytes });
  return sharp((await world.site.files.get(`${id}/original`)) as Buffer);
}

async function colorAt(picture: Awaited<ReturnType<typeof kept>>, left: number, top: number): Promise<string> {
  const { data } = await sharp(await picture.clone().toBuffer())
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [r = 0, , b = 0] = data;
  return r > b ? "red" : "blue";
}

/** A PNG of one color that is small as a file and enormous as a picture. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(1, 8);
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("a profile picture is converted", () => {
  test.each(["jpeg", "png", "gif", "webp"] as const)("%s: cut square around its middle", async (format) => {
    const picture = await kept(await twoHalves().toFormat(format).toBuffer());
    const { format: made, width, height, exif, icc } = await picture.metadata();
    expect({ made, width, height, exif, icc }).toEqual({ made: "jpeg", width: 400, height: 400, exif: undefined, icc: undefined });
    expect([await colorAt(picture, 20, 200), await colorAt(picture, 380, 200)]).toEqual(["red", "blue"]);
  });

  test("an animated GIF to its first frame", async () => {
    const frames = await Promise.all(
      [red, blue].map((color) =>
        sharp(half(60, 60, color))
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [50, 50] })
      .toBuffer();
    expect((await sharp(gif, { animated: true }).metadata()).pages).toBe(2);
    expect(await colorAt(await kept(gif), 200, 200)).toBe("red");
  });

  test("a CMYK JPEG to RGB", async () => {
    const cmyk = await twoHalves().toColourspace("cmyk").jpeg().toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe("cmyk");
    const picture = await kept(cmyk);
    expect((await picture.metadata()).space).toBe("srgb");
    expect([await colorAt(picture, 20, 200), await colorAt(picture, 380, 200)]).toEqual(["red", "blue"]);
  });

  test("a rotated photograph upright, without location and camera", async () => {
    const bytes = await twoHalves()
      .withExif({ IFD0: { Model: "Lighthouse cam" } })
      .withMetadata({ orientation: 3 })
      .jpeg()
      .toBuffer();
    const picture = await kept(bytes);
    expect([await colorAt(picture, 20, 200), await colorAt(picture, 380, 200)]).toEqual(["blue", "red"]);
    expect((await picture.toBuffer()).toString("latin1")).not.toContain("Lighthouse cam");
  });

  test("a single pixel, enlarged", async () => {
    const picture = await kept(
      await sharp(half(1, 1, red))
        .png()
        .toBuffer(),
    );
    expect(await picture.metadata()).toMatchObject({ width: 400, height: 400 });
  });
});

describe("a profile picture is refused with a clear error", () => {
  const hostile: [string, () => Buffer | Promise<Buffer>][] = [
    ["zero bytes", () => Buffer.alloc(0)],
    ["an SVG with a script", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["a bomb of 400 million pixels in 50 kB", () => bomb(20_000, 20_000)],
    ["a bomb that is only wide", () => bomb(16_000_000, 3)],
    ["an animation of frames that are too large", () => bomb(9000, 9000)],
    ["a GIF that claims 65,535 by 65,535", () => Buffer.from("GIF89a\xff\xff\xff\xff\x00\x00\x00;", "latin1")],
    ["half of a photograph", async () => (await twoHalves().jpeg().toBuffer()).subarray(0, 900)],
    ["a TIFF, which no browser shows", () => twoHalves().tiff().toBuffer()],
    ["a page that calls itself a picture", () => Buffer.from("<!doctype html><script>alert(1)</script>")],
  ];
  test.each(hostile)("%s", async (_, make) => {
    const before = await world.site.db.selectFrom("files").select("id").execute();
    const upload = { name: "me.png", bytes: await make() };
    await expect(storeAvatar(world.site, world.maren, upload)).rejects.toMatchObject({
      code: "invalid",
      field: "profileImage",
      message: "Please select a valid image file",
    });
    expect(await world.site.db.selectFrom("files").select("id").execute()).toEqual(before);
  });

  test("the settings list the allowed types", async () => {
    const jpeg = { name: "me.jpg", bytes: await twoHalves().jpeg().toBuffer() };
    const webp = { name: "me.webp", bytes: await twoHalves().webp().toBuffer() };
    const allow = (...allowedFileTypes: string[]) => ({ ...world.site, settings: { ...world.site.settings, allowedFileTypes } });
    for (const upload of [jpeg, webp]) {
      await expect(storeAvatar(allow("png"), world.maren, upload)).rejects.toMatchObject({ code: "invalid", field: "profileImage" });
      expect(await storeAvatar(allow("jpg", "png", "gif", "pdf"), world.maren, upload)).toMatchObject({ type: "image/jpeg" });
    }
  });

  test("exactly 5 MB is accepted, one byte more is not", async () => {
    const most = 5 * 1024 * 1024;
    const message = async (bytes: number) =>
      storeAvatar(world.site, world.maren, { name: "me.png", bytes: Buffer.alloc(bytes) }).catch((error: Error) => error.message);
    expect(await message(most)).toBe("Please select a valid image file");
    expect(await message(most + 1)).toBe("Image size should be less than 5MB");
  });
});

test("many decompression bombs and large pictures at once stay within memory", async () => {
  // Interlaced, so that the whole picture has to be in memory at once.
  const largest = await sharp(half(6300, 6300, red))
    .png({ progressive: true, compressionLevel: 1 })
    .toBuffer();
  const wide = bomb(20_000, 20_000);
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 5);
  const send = (bytes: Buffer) => storeAvatar(world.site, world.maren, { name: "me.png", bytes });
  const sent = [...Array.from({ length: 20 }, () => wide), ...Array.from({ length: 5 }, () => largest)];
  const results = await Promise.allSettled(sent.map(send));
  clearInterval(watch);
  expect(results.map(({ status }) => status)).toEqual(sent.map((bytes) => (bytes === wide ? "rejected" : "fulfilled")));
  expect((highest - before) / 1024 / 1024).toBeLessThan(600);
}, 120_000);
