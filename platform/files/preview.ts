import sharp, { type Sharp } from "sharp";
import { decode, wrapErrors } from "./images.ts";

export type PreviewFormat = "jpeg" | "png" | "webp" | "avif" | "gif";

export type Preview = {
  width: number;
  height: number;
  /** Cropped and enlarged to exactly this size; otherwise the whole picture, scaled down to fit. */
  fills: boolean;
  gravity: "center" | "top-left" | "top" | "top-right" | "left" | "right" | "bottom-left" | "bottom" | "bottom-right";
  /** 1 to 100, undefined for the format's default. */
  quality: number | undefined;
  borderWidth: number;
  borderColor: string;
  borderRadius: number;
  opacity: number;
  rotation: number;
  background: string | undefined;
  format: PreviewFormat;
};

const positions = {
  center: "centre",
  "top-left": "northwest",
  top: "north",
  "top-right": "northeast",
  left: "west",
  right: "east",
  "bottom-left": "southwest",
  bottom: "south",
  "bottom-right": "southeast",
} as const;

const timeoutSeconds = 10;

export function blankPicture(): Promise<Buffer> {
  const sheet = { width: 240, height: 300, channels: 4, background: "#e7e5e4" } as const;
  return sharp({ create: sheet }).extend({ top: 30, bottom: 30, left: 60, right: 60, background: "#00000000" }).png().toBuffer();
}

/**
 * Resizes, adds a border, rounds corners, rotates and fades, in this order. Call it from a queue. `signal` aborts between two steps, as a
 * step can't be interrupted. @throws UnreadablePicture; the signal's reason.
 */
export async function makePreview(bytes: Uint8Array, options: Preview, signal?: AbortSignal): Promise<Buffer> {
  try {
    return await wrapErrors(async () => {
      let picture = await toPixels(resized(bytes, options), signal);
      if (options.borderWidth > 0) picture = await toPixels(withBorder(picture, options), signal);
      if (options.borderRadius > 0) picture = await toPixels(rounded(picture, options.borderRadius), signal);
      if (options.opacity < 1) picture = await toPixels(open(picture).linear([1, 1, 1, options.opacity], [0, 0, 0, 0]), signal);
      if (options.rotation % 360 !== 0) picture = await toPixels(open(picture).rotate(options.rotation), signal);
      const hasNoAlpha = options.format === "jpeg";
      const flat =
        options.background || hasNoAlpha ? open(picture).flatten({ background: options.background ?? "#ffffff" }) : open(picture);
      return write(flat, options).timeout({ seconds: timeoutSeconds }).toBuffer();
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Raw RGBA, so that nothing is encoded between two steps. */
type Pixels = { data: Buffer; width: number; height: number };

async function toPixels(picture: Sharp, signal: AbortSignal | undefined): Promise<Pixels> {
  const { data, info } = await picture
    .ensureAlpha()
    .toColourspace("srgb")
    .raw()
    .timeout({ seconds: timeoutSeconds })
    .toBuffer({ resolveWithObject: true });
  signal?.throwIfAborted();
  return { data, width: info.width, height: info.height };
}

function open({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } });
}

function resized(bytes: Uint8Array, { width, height, fills, gravity }: Preview): Sharp {
  const fit = fills ? "cover" : "inside";
  return decode(bytes).resize({ width, height, fit, withoutEnlargement: !fills, position: positions[gravity] });
}

function withBorder(picture: Pixels, { borderWidth, borderColor }: Preview): Sharp {
  const sides = { top: borderWidth, bottom: borderWidth, left: borderWidth, right: borderWidth };
  return open(picture).extend({ ...sides, background: borderColor });
}

/** The SVG decoder is blocked for safety, so each corner is cut out with a tile. */
function rounded(picture: Pixels, radius: number): Sharp {
  const r = Math.floor(Math.min(radius, picture.width / 2, picture.height / 2));
  if (r === 0) return open(picture);
  const tiles = (["northwest", "northeast", "southwest", "southeast"] as const).map((gravity) => {
    const [isBottom, isRight] = [gravity.startsWith("south"), gravity.endsWith("east")];
    return {
      input: roundedCorner(r, isBottom, isRight),
      raw: { width: r, height: r, channels: 4 as const },
      gravity,
      blend: "dest-out" as const,
    };
  });
  return open(picture).composite(tiles);
}

/** Opaque where the picture is removed, row by row. */
function roundedCorner(r: number, isBottom: boolean, isRight: boolean): Buffer {
  const pixels = Buffer.alloc(r * r * 4);
  for (let y = 0; y < r; y++) {
    const dy = r - y - 0.5;
    const inset = Math.round(r - Math.sqrt(Math.max(0, r * r - dy * dy)));
    const row = (isBottom ? r - 1 - y : y) * r;
    const start = row + (isRight ? r - inset : 0);
    pixels.fill(255, start * 4, (start + inset) * 4);
  }
  return pixels;
}

function write(picture: Sharp, { format, quality }: Preview): Sharp {
  const qualityOption = quality === undefined ? {} : { quality };
  switch (format) {
    case "jpeg":
      return picture.jpeg({ quality: 80, mozjpeg: true, ...qualityOption });
    case "png":
      return picture.png({ compressionLevel: 6 });
    case "webp":
      return picture.webp({ quality: 80, effort: 2, ...qualityOption });
    case "avif":
      return picture.avif({ quality: 55, effort: 2, ...qualityOption });
    case "gif":
      return picture.gif({ effort: 1 });
  }
}
