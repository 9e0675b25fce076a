import { cropToJpeg, readPicture, UnreadablePicture } from "#platform/files/images.ts";
import { newId } from "#platform/ids.ts";
import { Invalid } from "../refusals.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import { featuredHeight, featuredQuality, featuredWidth, optimizedName, pictureMaxBytes, pictureTexts } from "./picture.ts";

/** A file that somebody sent, before anything is known about it but what the sender says. */
export type Upload = { name: string; bytes: Uint8Array };

export type StoredFile = { id: string; name: string; type: string; size: number };

/**
 * Checks and keeps a story's featured picture, 1200x630 and without metadata. The file belongs to nothing until
 * `attachFile` is called in the transaction that saves the story; until then the next sweep removes it.
 * @throws Invalid with the specification's texts (§5): no picture by its bytes, or over 10 MB.
 */
export async function storeFeaturedPicture(site: Site, viewer: Viewer, upload: Upload): Promise<StoredFile> {
  const bytes = await featuredBytes(upload);
  return store(site, viewer, { name: optimizedName(upload.name), type: "image/jpeg", bytes, width: featuredWidth, height: featuredHeight });
}

/** A picture that the browser has cut already stays as it is; any other is cut here in the same way. */
async function featuredBytes({ bytes }: Upload): Promise<Uint8Array> {
  const { format, width, height, hasMetadata } = await acceptPicture(bytes, "featuredImage");
  if (format === "jpeg" && width === featuredWidth && height === featuredHeight && !hasMetadata) return bytes;
  return cropToJpeg(bytes, featuredWidth, featuredHeight, featuredQuality * 100);
}

async function acceptPicture(bytes: Uint8Array, field: string) {
  if (bytes.byteLength > pictureMaxBytes) throw new Invalid(pictureTexts.tooLarge, field);
  try {
    return await readPicture(bytes);
  } catch (error) {
    if (error instanceof UnreadablePicture) throw new Invalid(pictureTexts.wrongType, field);
    throw error;
  }
}

const portraitSize = 400;

/**
 * Checks and keeps a profile picture, cut square.
 * @throws Invalid as for a featured picture.
 */
export async function storePortrait(site: Site, viewer: Viewer, upload: Upload): Promise<StoredFile> {
  await acceptPicture(upload.bytes, "profileImage");
  const bytes = await cropToJpeg(upload.bytes, portraitSize, portraitSize, 88);
  return store(site, viewer, { name: optimizedName(upload.name), type: "image/jpeg", bytes, width: portraitSize, height: portraitSize });
}

type NewFile = { name: string; type: string; bytes: Uint8Array; width: number; height: number };

/** The row is written first, so that bytes without an owner can always be found again. */
async function store(site: Site, viewer: Viewer, { bytes, ...file }: NewFile): Promise<StoredFile> {
  const now = site.now();
  const stored = { id: newId(now), name: file.name.slice(-200), type: file.type, size: bytes.byteLength };
  const row = { ...file, ...stored, ownerId: viewer?.id ?? null, createdAt: now, attachedAt: null };
  await site.db.insertInto("files").values(row).execute();
  await site.files.put(originalKey(stored.id), bytes);
  return stored;
}

export function originalKey(fileId: string): string {
  return `${fileId}/original`;
}

/** Marks a file as belonging to what this transaction saves. */
export async function attachFile(tx: SiteTransaction, fileId: string): Promise<void> {
  await tx.db.updateTable("files").set({ attachedAt: tx.now() }).where("id", "=", fileId).execute();
}

/** Marks a file as belonging to nothing any more; the next sweep removes it. */
export async function detachFile(tx: SiteTransaction, fileId: string): Promise<void> {
  await tx.db.updateTable("files").set({ attachedAt: null }).where("id", "=", fileId).execute();
}

const hour = 60 * 60 * 1000;

/** What an earlier run of the site left behind. On PostgreSQL other processes may be at work, so young files stay. */
export function sweepAtStart(site: Site): Promise<number> {
  return sweepUnattached(site, site.now() - (site.engine === "postgres" ? hour : 0));
}

/**
 * Removes the bytes and rows of files that belong to nothing and were sent before `before` (milliseconds): uploads that
 * a crash or a refusal left behind. A file that can't be removed now is tried again at the next sweep.
 */
export async function sweepUnattached(site: Site, before: number): Promise<number> {
  const files = await site.db
    .selectFrom("files")
    .select("id")
    .where("attachedAt", "is", null)
    .where("createdAt", "<=", before)
    .limit(1000)
    .execute();
  let removed = 0;
  for (const { id } of files) {
    try {
      await site.files.deleteFolder(id);
      await site.db.deleteFrom("files").where("id", "=", id).where("attachedAt", "is", null).execute();
      removed++;
    } catch (error) {
      site.log.warn({ err: error, fileId: id }, "a file could not be removed yet");
    }
  }
  return removed;
}

/** Removes one file that turned out not to be needed, now rather than at the next sweep; one that is attached stays. */
export async function discardFile(site: Site, fileId: string): Promise<void> {
  const unattached = await site.db
    .selectFrom("files")
    .select("id")
    .where("id", "=", fileId)
    .where("attachedAt", "is", null)
    .executeTakeFirst();
  if (!unattached) return;
  await site.files.deleteFolder(fileId);
  await site.db.deleteFrom("files").where("id", "=", fileId).where("attachedAt", "is", null).execute();
}
