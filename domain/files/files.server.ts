import { isBackingUp } from "#domain/jobs/lease.server.ts";
import { originalKey } from "#platform/files/file-keys.ts";
import { cropToJpeg, readPicture, UnreadablePicture } from "#platform/files/images.ts";
import { newId } from "#platform/ids.ts";
import { Invalid, Unavailable } from "../refusals.ts";
import { type Member, type Site, type SiteTransaction, transaction } from "../site.ts";
import { featuredHeight, featuredQuality, featuredWidth, optimizedName, pictureMaxBytes, pictureTexts, tooLargeText } from "./picture.ts";
import { countSent, mustFitStorage } from "./storage.server.ts";

export type Upload = { name: string; bytes: Uint8Array };

export type StoredFile = { id: string; name: string; type: string; size: number };

/**
 * Checks and keeps a story's featured picture, 1200x630 and without metadata. The file belongs to nothing until
 * `attachFile` is called in the transaction that saves the story; until then the next sweep removes it.
 * @throws Invalid with the specification's texts (§5): no picture by its bytes, or over 10 MB. Unavailable when it can't
 * be stored; TooMany beyond an hour's bytes.
 */
export async function storeFeaturedPicture(site: Site, viewer: Member, upload: Upload): Promise<StoredFile> {
  await countSent(site, viewer, upload.bytes.byteLength);
  const bytes = await featuredBytes(upload);
  return storeFile(site, viewer, {
    name: optimizedName(upload.name),
    type: "image/jpeg",
    bytes,
    width: featuredWidth,
    height: featuredHeight,
    field: "featuredImage",
  });
}

/** A picture that the browser has cut already stays as it is; any other is cut here in the same way. */
async function featuredBytes({ bytes }: Upload): Promise<Uint8Array> {
  const { format, width, height, hasMetadata } = await acceptPicture(bytes, "featuredImage");
  if (format === "jpeg" && width === featuredWidth && height === featuredHeight && !hasMetadata) return bytes;
  return cropToJpeg(bytes, featuredWidth, featuredHeight, featuredQuality * 100);
}

/** What the bytes are. @throws Invalid when they are no picture, or one that is too large. */
export async function acceptPicture(bytes: Uint8Array, field: string, maxBytes = pictureMaxBytes) {
  if (bytes.byteLength > maxBytes) throw new Invalid(tooLargeText(maxBytes), field);
  try {
    return await readPicture(bytes);
  } catch (error) {
    if (error instanceof UnreadablePicture) throw new Invalid(pictureTexts.wrongType, field);
    throw error;
  }
}

/** Width and height are null for what is no picture that can be shown. */
export type NewFile = {
  name: string;
  type: string;
  bytes: Uint8Array;
  width: number | null;
  height: number | null;
  field?: string;
};

/**
 * Keeps a file that has been looked at. It belongs to nothing until `attachFile` is called; until then the next sweep
 * removes it. The row is written first, so that bytes without an owner can always be found again.
 * @throws Invalid when the member's storage is full; Unavailable when it can't be stored.
 */
export async function storeFile(site: Site, viewer: Member, { bytes, field, ...file }: NewFile): Promise<StoredFile> {
  const now = site.now();
  const stored = { id: newId(now), name: file.name.slice(-200), type: file.type, size: bytes.byteLength };
  const row = { ...file, ...stored, ownerId: viewer.id, createdAt: now, attachedAt: null };
  await transaction(site, async (tx) => {
    await tx.db.insertInto("files").values(row).execute();
    await mustFitStorage(tx, site, viewer.id, field);
  });
  try {
    await site.files.put(originalKey(stored.id), bytes);
  } catch (error) {
    // Some of it may be there all the same, so the row stays for the sweep.
    site.log.error({ err: error, fileId: stored.id }, "a file could not be stored");
    throw new Unavailable(file.width === null ? "the file couldn’t be saved. Please try again." : pictureTexts.notStored);
  }
  return stored;
}

/**
 * Marks a file as belonging to what this transaction saves.
 * @throws Unavailable when it is gone: its upload took so long that it was swept away.
 */
export async function attachFile(tx: SiteTransaction, fileId: string): Promise<void> {
  const kept = tx.db.updateTable("files").set({ attachedAt: tx.now() }).where("id", "=", fileId).where("ownerId", "is not", null);
  const [result] = await kept.execute();
  if (!result?.numUpdatedRows) throw new Unavailable(pictureTexts.notStored);
}

/** Marks a file as belonging to nothing any more; the next sweep removes it. */
export async function detachFile(tx: SiteTransaction, fileId: string): Promise<void> {
  await tx.db.updateTable("files").set({ attachedAt: null }).where("id", "=", fileId).execute();
}

/**
 * Removes the bytes and rows of files that belong to nothing and were sent before `before` (milliseconds): uploads that
 * a crash or a refusal left behind. What can't be removed now is tried again at the next sweep, as is everything when the
 * store is down: each try may take its whole timeout.
 */
export async function sweepUnattached(site: Site, before: number): Promise<number> {
  if (await isBackingUp(site)) return 0;
  const files = await site.db
    .selectFrom("files")
    .select("id")
    .where("attachedAt", "is", null)
    .where("createdAt", "<=", before)
    .limit(1000)
    .execute();
  let removed = 0;
  for (const { id } of files) {
    if (await removeFile(site, id)) removed++;
    else if (!(await takesFiles(site))) break;
  }
  return removed;
}

async function takesFiles(site: Site): Promise<boolean> {
  return site.files.check().then(
    () => true,
    () => false,
  );
}

/**
 * Removes one file that turned out not to be needed, now if that is possible and at the next sweep otherwise; one that is
 * attached stays. Never throws: it is called after something else has failed, and that is what counts.
 */
export async function discardFile(site: Site, fileId: string): Promise<void> {
  try {
    if (await isUnattached(site, fileId)) await removeFile(site, fileId);
  } catch (err) {
    site.log.warn({ err, fileId }, "a file stays until the next sweep");
  }
}

async function isUnattached({ db }: Site, fileId: string): Promise<boolean> {
  const row = await db.selectFrom("files").select("id").where("id", "=", fileId).where("attachedAt", "is", null).executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes it from its owner, so that it can't be attached any more, and removes the bytes before the row, without which nothing would find
 * them again. A backup that is under way may still mention them.
 */
async function removeFile(site: Site, fileId: string): Promise<boolean> {
  try {
    if (await isBackingUp(site)) return false;
    const unattached = site.db
      .updateTable("files")
      .set({ ownerId: null, name: "" })
      .where("id", "=", fileId)
      .where("attachedAt", "is", null);
    if (!(await unattached.executeTakeFirstOrThrow()).numUpdatedRows) return false;
    await site.files.deleteFolder(fileId);
    await site.db.deleteFrom("files").where("id", "=", fileId).where("attachedAt", "is", null).execute();
    return true;
  } catch (error) {
    site.log.warn({ err: error, fileId }, "a file could not be removed yet");
    return false;
  }
}
