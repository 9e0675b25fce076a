import { crc32 } from "node:zlib";
import sharp, { type Color } from "sharp";
import { describe, expect, test } from "vitest";
import { QueueFull } from "../queues/fair-queue.ts";
import { cropToJpeg, makeVariant, PictureTimeout, readPicture, UnreadablePicture, wrapErrors } from "./images.ts";

const red = { r: 255, g: 0, b: 0 };
const blue = { r: 0, g: 0, b: 255 };

const plain = (width: number, height: number, background: Color = red) => sharp({ create: { width, height, channels: 3, background } });

/** Red on the left, blue on the right. */
const twoHalves = () =>
  plain(80, 40).composite([{ input: { create: { width: 40, height: 40, channels: 3, background: blue } }, left: 40, top: 0 }]);

/** Compresses badly, so that a truncated file ends within its pixels. */
const noise = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red, noise: { type: "gaussian", mean: 128, sigma: 60 } } });

async function colorAt(picture: Buffer, left: number, top: number): Promise<string> {
  const { data } = await sharp(picture)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [r = 0, g = 0, b = 0] = data;
  if (r > 200 && g > 200 && b > 200) return "white";
  return r > b ? "red" : "blue";
}

describe("reading a picture", () => {
  test.each(["jpeg", "png", "gif", "webp"] as const)("%s is known by its bytes", async (format) => {
    const bytes = await plain(30, 20).toFormat(format).toBuffer();
    expect(await readPicture(bytes)).toEqual({ format, width: 30, height: 20, frames: 1, hasMetadata: false });
  });

  test("the size is that after rotation", async () => {
    const bytes = await twoHalves().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await readPicture(bytes)).toEqual({ format: "jpeg", width: 40, height: 80, frames: 1, hasMetadata: true });
  });
});

describe("refused files", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const hostile: [string, () => Promise<Buffer> | Buffer][] = [
    ["nothing", () => Buffer.alloc(0)],
    ["a text named .png", () => Buffer.from("Dear reader, I am a picture.\n")],
    ["a page", () => Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["an SVG", () => Buffer.from(svg)],
    ["an SVG behind an XML head", () => Buffer.from(`<?xml version="1.0"?>\n${svg}`)],
    ["a PDF", () => Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n")],
    ["only the beginning of a PNG", () => Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
    ["a text behind the first bytes of a JPEG", () => Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.from("not a picture")])],
    ["an AVIF", () => plain(9, 9).avif().toBuffer()],
    ["a TIFF", () => plain(9, 9).tiff().toBuffer()],
    ["a truncated JPEG", async () => cut(await noise(200, 200).jpeg().toBuffer())],
    ["a truncated PNG", async () => cut(await noise(200, 200).png().toBuffer())],
    ["a truncated WebP", async () => cut(await noise(200, 200).webp().toBuffer())],
    ["a truncated GIF", async () => cut(await noise(200, 200).gif().toBuffer())],
    ["a small file that says it has 900 million pixels", async () => claimSize(await plain(9, 9).png().toBuffer(), 30_000, 30_000)],
  ];
  test.each(hostile)("%s", async (_, make) => {
    const bytes = await make();
    await expect(readPicture(bytes)).rejects.toThrow(UnreadablePicture);
    await expect(cropToJpeg(bytes, 10, 10, 80)).rejects.toThrow(UnreadablePicture);
    await expect(makeVariant(async () => bytes, 10, "webp")).rejects.toThrow(UnreadablePicture);
  });

  test("a timeout doesn't make a picture unreadable", async () => {
    const slow = noise(6_000, 6_000).timeout({ seconds: 1 }).sharpen({ sigma: 10 }).avif({ effort: 9 });
    await expect(wrapErrors(() => slow.toBuffer())).rejects.toThrow(PictureTimeout);
  });

  test("a decompression bomb is refused before it is decoded", async () => {
    const bomb = claimSize(await plain(9, 9).png().toBuffer(), 30_000, 30_000);
    await expect(readPicture(bomb)).rejects.toThrow(/pixel limit/);
  });
});

function cut(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length * 0.6));
}

/** Writes another size into a PNG's header. */
function claimSize(png: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

describe("a cropped picture", () => {
  test("has exactly the requested size, larger or smaller", async () => {
    for (const [width, height] of [
      [20, 20],
      [300, 100],
    ] as const) {
      const info = await readPicture(await cropToJpeg(await twoHalves().png().toBuffer(), width, height, 85));
      expect(info).toEqual({ format: "jpeg", width, height, frames: 1, hasMetadata: false });
    }
  });

  test("is cropped around its center", async () => {
    const bytes = await cropToJpeg(await twoHalves().png().toBuffer(), 20, 40, 90);
    expect([await colorAt(bytes, 2, 20), await colorAt(bytes, 17, 20)]).toEqual(["red", "blue"]);
  });

  test("is rotated upright", async () => {
    const rotated = await twoHalves().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const bytes = await cropToJpeg(rotated, 40, 80, 90);
    expect([await colorAt(bytes, 20, 10), await colorAt(bytes, 20, 70)]).toEqual(["red", "blue"]);
  });

  test("has no metadata", async () => {
    const exif = { IFD0: { Copyright: "Ruth Castellanos" }, IFD3: { GPSLatitude: "58/1 12/1 33/1", GPSLatitudeRef: "N" } };
    const tagged = await noise(60, 60)
      .withExif(exif)
      .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>secret</x:xmpmeta>")
      .withIccProfile("p3")
      .jpeg()
      .toBuffer();
    expect(await readPicture(tagged)).toMatchObject({ hasMetadata: true });
    expect(tagged.toString("latin1")).toContain("Ruth Castellanos");

    const bytes = await cropToJpeg(tagged, 30, 30, 85);
    expect(await readPicture(bytes)).toMatchObject({ hasMetadata: false });
    expect(bytes.toString("latin1")).not.toMatch(/Ruth Castellanos|secret|Exif|ICC_PROFILE/);
  });

  test("of an animation is its first frame", async () => {
    const frames = await Promise.all([red, blue].map((color) => plain(20, 20, color).png().toBuffer()));
    const animated = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(animated, { animated: true }).metadata()).pages).toBe(2);
    expect(await readPicture(animated)).toMatchObject({ format: "gif", width: 20, height: 20, frames: 2 });
    expect(await colorAt(await cropToJpeg(animated, 20, 20, 90), 10, 10)).toBe("red");
  });

  test("is white instead of transparent", async () => {
    const clear = await sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer();
    expect(await colorAt(await cropToJpeg(clear, 20, 20, 90), 10, 10)).toBe("white");
  });

  test("is RGB if the original is CMYK", async () => {
    const print = await plain(20, 20).toColourspace("cmyk").jpeg().toBuffer();
    expect((await sharp(print).metadata()).space).toBe("cmyk");
    expect((await sharp(await cropToJpeg(print, 20, 20, 90)).metadata()).space).toBe("srgb");
  });
});

describe("a resized variant", () => {
  const original = () =>
    noise(200, 100)
      .withExif({ IFD0: { Copyright: "Ruth Castellanos" } })
      .jpeg()
      .toBuffer();

  test.each(["webp", "jpeg"] as const)("as %s has the width asked for and no metadata", async (format) => {
    const copy = await makeVariant(original, 96, format);
    expect(await readPicture(copy)).toEqual({ format, width: 96, height: 48, frames: 1, hasMetadata: false });
  });

  test("as avif has no metadata either", async () => {
    const copy = (await makeVariant(original, 96, "avif")).toString("latin1");
    expect(copy.slice(4, 12)).toBe("ftypavif"); // This process reads none, as people may not send any.
    expect(copy).not.toContain("Ruth Castellanos");
  });

  test("is never larger than the original", async () => {
    const { width } = await readPicture(await makeVariant(() => plain(50, 50).png().toBuffer(), 320, "webp"));
    expect(width).toBe(50);
  });
});

test("variants don't delay uploads, and are refused if too many wait", async () => {
  const bytes = await plain(600, 400).jpeg().toBuffer();
  const uploaded = Promise.withResolvers<void>();
  // Two variants are made at once, then it is the upload's turn. In a queue without turns, those after them would block it for good.
  const variants = Array.from({ length: 250 }, (_, index) =>
    makeVariant(() => (index < 2 ? Promise.resolve(bytes) : uploaded.promise.then(() => bytes)), 96, "jpeg").catch(
      (error: unknown) => error,
    ),
  );
  await cropToJpeg(bytes, 60, 30, 80);
  uploaded.resolve();
  const refused = (await Promise.all(variants)).filter((each) => each instanceof QueueFull);
  expect(refused).toHaveLength(50);
});
