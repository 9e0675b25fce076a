import { createHash } from "node:crypto";
import { UnreadablePicture } from "#platform/files/images.ts";
import { blankPicture, makePreview, type Preview } from "#platform/files/preview.ts";
import { BudgetExceeded } from "#platform/queues/budget.ts";
import { FairQueue, QueueFull } from "#platform/queues/fair-queue.ts";
import { TooMany, Unavailable } from "../refusals.ts";
import type { Site } from "../site.ts";
import { readFileBytes, type ServedFile } from "./api-files.server.ts";
import { pictureMaxBytes, pictureTypes } from "./picture.ts";
import { isPlain } from "./preview-grid.ts";

export type PreviewRequester = { key: string; isVisitor: boolean; signal: AbortSignal };

/** A separate queue, so that uploads and the site's own pages don't wait for previews. */
const queue = new FairQueue({ slots: 1, maxWaiting: 50, maxWaitingPerKey: 16 });

/** Megapixels drawn in ten minutes; stored previews are free. */
const megapixelBudget = { visitor: 200, member: 400 };

const unreadablePictureMegapixels = 10;
const avifFactor = 3;
const busyRetrySeconds = 10;

const sharedKeys = 32;
const storedMaxBytes = 2 * 1024 * 1024;

/**
 * Draws a preview, or reads the stored one. A file that is no picture has a blank preview.
 * @throws TooMany, Unavailable if the queue is full, NotFound if the bytes are missing; the signal's reason.
 */
export async function readPreview(site: Site, file: ServedFile, preview: Preview, requester: PreviewRequester): Promise<Uint8Array> {
  const stored = await readStored(site, file, preview);
  if (stored) return stored;
  const budget = site.memory.previewBudget;
  const maxMegapixels = requester.isVisitor ? megapixelBudget.visitor : megapixelBudget.member;
  try {
    budget.assertBelow(requester.key, maxMegapixels);
    return await queue.run(
      requester.key,
      async () => {
        // While it waited, another request may have drawn the same or spent the budget.
        const storedMeanwhile = await readStored(site, file, preview);
        if (storedMeanwhile) return storedMeanwhile;
        budget.assertBelow(requester.key, maxMegapixels);
        return renderPreview(site, file, preview, requester.signal, (megapixels) => budget.spend(requester.key, megapixels));
      },
      requester.signal,
    );
  } catch (error) {
    if (error instanceof BudgetExceeded) throw new TooMany("Too many pictures at once. Please try again later.", error.retryAfterSeconds);
    if (error instanceof QueueFull)
      throw new Unavailable("The site is busy with pictures right now. Please try again later.", undefined, busyRetrySeconds);
    throw error;
  }
}

async function renderPreview(site: Site, file: ServedFile, preview: Preview, signal: AbortSignal, spend: (megapixels: number) => void) {
  const isPicture = pictureTypes.includes(file.type) && file.size <= pictureMaxBytes;
  spend(megapixelsOf(preview));
  try {
    const bytes = isPicture ? await readFileBytes(site, file) : await blankPicture();
    const drawn = await makePreview(bytes, preview, signal);
    await store(site, file, preview, drawn);
    return drawn;
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error;
    spend(unreadablePictureMegapixels);
    // Not stored: the machine may have been too busy.
    return makePreview(await blankPicture(), preview, signal);
  }
}

function megapixelsOf({ width, height, fills, format }: Preview): number {
  const pixels = width * (fills ? height : width);
  return Math.max(0.1, pixels / 1_000_000) * (format === "avif" ? avifFactor : 1);
}

export function previewParams(preview: Preview): string {
  return JSON.stringify(Object.entries(preview).sort());
}

/** Each plain preview has a key. All others share a fixed number of keys by hash, and the last one stored wins: that bounds them. */
function previewKey(file: ServedFile, preview: Preview): string {
  const { width, format } = preview;
  if (isPlain(preview)) return `${file.id}/preview-${width}.${format}`;
  const number = createHash("sha256").update(previewParams(preview)).digest().readUInt32BE() % sharedKeys;
  return `${file.id}/preview-slot-${number}`;
}

/** Stored before the bytes, to tell which preview of a shared key it is. */
function labelOf(file: ServedFile, preview: Preview): Buffer {
  return Buffer.from(`${file.version} ${previewParams(preview)}\n`);
}

async function readStored(site: Site, file: ServedFile, preview: Preview): Promise<Uint8Array | undefined> {
  const stored = await site.files.get(previewKey(file, preview));
  const label = labelOf(file, preview);
  return stored?.subarray(0, label.length).equals(label) ? stored.subarray(label.length) : undefined;
}

async function store(site: Site, file: ServedFile, preview: Preview, drawn: Buffer): Promise<void> {
  if (drawn.byteLength > storedMaxBytes) return;
  const key = previewKey(file, preview);
  const bytes = Buffer.concat([labelOf(file, preview), drawn]);
  await site.files.put(key, bytes).catch((error: unknown) => site.log.warn({ err: error, key }, "a preview was not saved"));
}
