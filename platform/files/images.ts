import sharp, { type Sharp } from "sharp";
import { FairQueue, QueueFull } from "../queues/fair-queue.ts";

// No other decoder, such as those for SVG and PDF, reads uploads.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif"].map((decoder) => `VipsForeignLoad${decoder}Buffer`),
});
sharp.concurrency(1); // Several pictures at a time rather than several threads for one.
sharp.cache(false);

const maxPixels = 40_000_000;
/** The frames of an animation. A file of 10 MB can have half a million frames of one pixel. */
const maxFrames = 1_000;

export class UnreadablePicture extends Error {}
/** The machine was too busy; the picture may be fine. */
export class PictureTimeout extends UnreadablePicture {}

export type PictureFormat = "jpeg" | "png" | "gif" | "webp";
/** `frames` is 1 if it isn't animated. */
export type PictureInfo = { format: PictureFormat; width: number; height: number; frames: number; hasMetadata: boolean };

const formats: readonly string[] = ["jpeg", "png", "gif", "webp"] satisfies PictureFormat[];

const limits = { limitInputPixels: maxPixels, limitInputChannels: 5, failOn: "error" } as const;

export function decode(bytes: Uint8Array): Sharp {
  return sharp(bytes, { ...limits, pages: 1, autoOrient: true }).timeout({ seconds: 20 });
}

/** Decodes the whole picture, to detect truncated ones. @throws UnreadablePicture */
export async function readPicture(bytes: Uint8Array): Promise<PictureInfo> {
  return runInQueue(async () => {
    const { format, autoOrient, pages = 1, exif, icc, iptc, xmp } = await decode(bytes).metadata();
    if (!formats.includes(format)) throw new UnreadablePicture(`pictures of the format ${format} are not accepted`);
    await decode(bytes).extractChannel(0).raw().toBuffer();
    const { width, height } = autoOrient;
    return { format: format as PictureFormat, width, height, frames: pages, hasMetadata: Boolean(exif ?? icc ?? iptc ?? xmp) };
  });
}

/** Removes metadata such as the location, and applies the orientation. Animations stay unchanged. @throws UnreadablePicture */
export async function withoutMetadata(bytes: Uint8Array, { format, frames, hasMetadata }: PictureInfo): Promise<Uint8Array> {
  if (!hasMetadata || frames > 1) return bytes;
  return runInQueue(() => decode(bytes).toFormat(format, { quality: 92 }).toBuffer());
}

export function cropToJpeg(bytes: Uint8Array, width: number, height: number, quality: number): Promise<Buffer> {
  return runInQueue(() =>
    decode(bytes).resize({ width, height, fit: "cover" }).flatten({ background: "#fff" }).jpeg({ quality, mozjpeg: true }).toBuffer(),
  );
}

/** The pixels of all frames count, because they are decoded as one picture. */
export function isAnimationAllowed({ width, height, frames }: PictureInfo): boolean {
  return frames <= maxFrames && width * height * frames <= maxPixels;
}

type Shrunk = { bytes: Buffer; width: number; height: number };

/** A WebP without metadata, no wider than `width`. */
export function shrinkPicture(bytes: Uint8Array, width: number, animated: boolean): Promise<Shrunk> {
  return runInQueue(async () => {
    const picture = animated ? sharp(bytes, { ...limits, animated }).timeout({ seconds: 20 }) : decode(bytes);
    const { data, info } = await picture
      .resize({ width, withoutEnlargement: true })
      // Animations: slightly larger than with more effort, in half the time.
      .webp(animated ? { quality: 75, effort: 2 } : { quality: 82 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
  });
}

export type VariantFormat = "avif" | "webp" | "jpeg";

/** The picture is read when its turn comes, as hundreds may wait. @throws UnreadablePicture; QueueFull. */
export async function makeVariant(read: () => Promise<Uint8Array>, width: number, format: VariantFormat): Promise<Buffer> {
  if (variantsWaiting >= maxWaitingVariants) throw new QueueFull();
  variantsWaiting++;
  try {
    return await runInQueue(async () => resizeTo(await read(), width, format), "variant");
  } finally {
    variantsWaiting--;
  }
}

function resizeTo(bytes: Uint8Array, width: number, format: VariantFormat): Promise<Buffer> {
  const resized = decode(bytes).resize({ width, withoutEnlargement: true });
  if (format === "avif") return resized.avif({ quality: 55, effort: 1, tune: "ssim" }).toBuffer();
  if (format === "webp") return resized.webp({ quality: 80 }).toBuffer();
  return resized.flatten({ background: "#fff" }).jpeg({ quality: 80, mozjpeg: true }).toBuffer();
}

const maxConcurrentImages = 2;
const maxWaitingVariants = 200;

type Lane = "upload" | "variant";

/** A picture of the maximum size takes some 200 MB, so two at a time. Uploads and variants take turns; previews have their own queue. */
const queue = new FairQueue({
  slots: maxConcurrentImages,
  maxRunningPerKey: maxConcurrentImages,
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitingPerKey: Number.POSITIVE_INFINITY,
});
let variantsWaiting = 0;

export function waitingPictures(): number {
  return queue.waiting;
}

function runInQueue<Result>(work: () => Promise<Result>, lane: Lane = "upload"): Promise<Result> {
  return queue.run(lane, () => wrapErrors(work));
}

/** @throws UnreadablePicture for all errors, of them PictureTimeout if sharp gave up. */
export async function wrapErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadablePicture) throw error;
    const { message } = error as Error;
    throw new (message.startsWith("timeout:") ? PictureTimeout : UnreadablePicture)(message, { cause: error });
  }
}
