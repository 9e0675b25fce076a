import sharp, { type Sharp } from "sharp";

// Only these decoders ever see what people send; SVG, PDF and the like are never opened.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif"].map((decoder) => `VipsForeignLoad${decoder}Buffer`),
});
sharp.concurrency(1); // Several pictures at a time rather than several threads for one.
sharp.cache(false);

const maxPixels = 40_000_000;

/** The bytes are no picture that can be decoded, or one with too many pixels. */
export class UnreadablePicture extends Error {}

export type PictureFormat = "jpeg" | "png" | "gif" | "webp";
export type PictureInfo = { format: PictureFormat; width: number; height: number; hasMetadata: boolean };

const formats: readonly string[] = ["jpeg", "png", "gif", "webp"] satisfies PictureFormat[];

function open(bytes: Uint8Array): Sharp {
  const limits = { limitInputPixels: maxPixels, limitInputChannels: 5, failOn: "error", pages: 1, autoOrient: true } as const;
  return sharp(bytes, limits).timeout({ seconds: 20 });
}

/**
 * What the bytes really are, whatever their name says. The whole picture is decoded, so a truncated one is noticed.
 * @throws UnreadablePicture
 */
export async function readPicture(bytes: Uint8Array): Promise<PictureInfo> {
  return orUnreadable(async () => {
    const { format, autoOrient, exif, icc, iptc, xmp } = await open(bytes).metadata();
    if (!formats.includes(format)) throw new UnreadablePicture(`pictures of the format ${format} are not accepted`);
    await open(bytes).stats();
    const { width, height } = autoOrient;
    return { format: format as PictureFormat, width, height, hasMetadata: Boolean(exif ?? icc ?? iptc ?? xmp) };
  });
}

/** Cut around the centre to exactly this size; a JPEG without metadata. `quality` is 1-100. */
export function cropToJpeg(bytes: Uint8Array, width: number, height: number, quality: number): Promise<Buffer> {
  return orUnreadable(() =>
    open(bytes).resize({ width, height, fit: "cover" }).flatten({ background: "#fff" }).jpeg({ quality, mozjpeg: true }).toBuffer(),
  );
}

export type VariantFormat = "avif" | "webp" | "jpeg";

/** A copy no wider than `width`, never enlarged, in a format that browsers ask for. */
export function makeVariant(bytes: Uint8Array, width: number, format: VariantFormat): Promise<Buffer> {
  return orUnreadable(() => {
    const resized = open(bytes).resize({ width, withoutEnlargement: true });
    if (format === "avif") return resized.avif({ quality: 55, effort: 2 }).toBuffer();
    if (format === "webp") return resized.webp({ quality: 80 }).toBuffer();
    return resized.flatten({ background: "#fff" }).jpeg({ quality: 80, mozjpeg: true }).toBuffer();
  });
}

async function orUnreadable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UnreadablePicture ? error : new UnreadablePicture((error as Error).message, { cause: error });
  }
}
