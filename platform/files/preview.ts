import sharp, { type Sharp } from "sharp";
import { decode, whileInTurn } from "./images.ts";

export type PreviewFormat = "jpeg" | "png" | "webp" | "avif" | "gif";

/** What a preview is to look like. Lengths in pixels; 0 for a side means: as the picture has it. */
export type Preview = {
  width: number;
  height: number;
  gravity: "center" | "top-left" | "top" | "top-right" | "left" | "right" | "bottom-left" | "bottom" | "bottom-right";
  /** 1 to 100, undefined for the format's own. */
  quality: number | undefined;
  borderWidth: number;
  /** As `#rrggbb`. */
  borderColor: string;
  borderRadius: number;
  /** 0 to 1. */
  opacity: number;
  /** Degrees. */
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

const longestSide = 4000;

/** What stands for a file that is no picture: a grey sheet. */
export function blankSheet(): Promise<Buffer> {
  const sheet = { width: 240, height: 300, channels: 4, background: "#e7e5e4" } as const;
  return sharp({ create: sheet }).extend({ top: 30, bottom: 30, left: 60, right: 60, background: "#00000000" }).png().toBuffer();
}

/** A picture cut, framed, rounded, turned and faded, in this order. Call it in turn. @throws UnreadablePicture */
export function makePreview(bytes: Uint8Array, wanted: Preview): Promise<Buffer> {
  return whileInTurn(async () => {
    const sized = await resize(bytes, wanted);
    const framed = await frame(sized, wanted);
    let picture = sharp(framed).ensureAlpha();
    const { width = 1, height = 1 } = await sharp(framed).metadata();
    if (wanted.borderRadius > 0) picture = picture.composite([{ ...roundedMask(width, height, wanted.borderRadius), blend: "dest-in" }]);
    if (wanted.opacity < 1) picture = sharp(await picture.png().toBuffer()).linear([1, 1, 1, wanted.opacity], [0, 0, 0, 0]);
    if (wanted.rotation % 360 !== 0)
      picture = sharp(await picture.png().toBuffer()).rotate(wanted.rotation, { background: wanted.background ?? "#00000000" });
    const hasNoAlpha = wanted.format === "jpeg";
    if (wanted.background || hasNoAlpha)
      picture = sharp(await picture.png().toBuffer()).flatten({ background: wanted.background ?? "#ffffff" });
    return write(picture, wanted).toBuffer();
  });
}

/** Only a picture that is to fill both sides is ever made larger; none gets more than 4000 pixels a side. */
function resize(bytes: Uint8Array, { width, height, gravity }: Preview): Promise<Buffer> {
  const fills = width > 0 && height > 0;
  return decode(bytes)
    .resize({
      width: width || longestSide,
      height: height || longestSide,
      fit: fills ? "cover" : "inside",
      withoutEnlargement: !fills,
      position: positions[gravity],
    })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

async function frame(bytes: Buffer, { borderWidth, borderColor }: Preview): Promise<Buffer> {
  if (borderWidth === 0) return bytes;
  const sides = { top: borderWidth, bottom: borderWidth, left: borderWidth, right: borderWidth };
  return sharp(bytes)
    .extend({ ...sides, background: borderColor })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/**
 * White where the picture stays. Drawn pixel by pixel: the reader of SVG is blocked, as people's files must never reach it.
 */
function roundedMask(width: number, height: number, radius: number) {
  const r = Math.min(radius, width / 2, height / 2);
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < Math.ceil(r); y++) {
    const dy = r - y - 0.5;
    const inset = Math.round(r - Math.sqrt(Math.max(0, r * r - dy * dy)));
    for (const row of [y, height - 1 - y])
      for (let x = 0; x < inset; x++) for (const column of [x, width - 1 - x]) pixels[(row * width + column) * 4 + 3] = 0;
  }
  return { input: pixels, raw: { width, height, channels: 4 as const } };
}

function write(picture: Sharp, { format, quality }: Preview): Sharp {
  const chosen = quality === undefined ? {} : { quality };
  switch (format) {
    case "jpeg":
      return picture.jpeg({ quality: 80, mozjpeg: true, ...chosen });
    case "png":
      return picture.png(chosen);
    case "webp":
      return picture.webp({ quality: 80, ...chosen });
    case "avif":
      return picture.avif({ quality: 55, effort: 2, ...chosen });
    case "gif":
      return picture.gif();
  }
}
