import { sql } from "kysely";
import { isBackingUp } from "#domain/jobs/lease.server.ts";
import { megabyte } from "#platform/bytes.ts";
import { originalKey } from "#platform/files/file-keys.ts";
import { readPicture, UnreadablePicture } from "#platform/files/images.ts";
import { newId } from "#platform/ids.ts";
import { hours } from "#platform/time.ts";
import { sizeText } from "../backups/backup.ts";
import { Invalid, TooMany, Unavailable } from "../refusals.ts";
import { storageQuota } from "../settings/settings.ts";
import { type Member, type Site, type SiteTransaction, transaction } from "../site.ts";
import { pictureMaxBytes, pictureTexts, tooLargeText } from "./picture.ts";

export type Upload = { name: string; bytes: Uint8Array };

export type StoredFile = { id: string; name: string; type: string; size: number };

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

export const shownIn = [
  { table: "posts", column: "featuredImage" },
  { table: "profiles", column: "profileImage" },
  { table: "messages", column: "fileId" },
  { table: "working_copies", column: "featuredImage" },
  { table: "post_files", column: "fileId" },
  { table: "copy_files", column: "fileId" },
  { table: "fetched_pictures", column: "fileId" },
] as const;

type Options = {
  from?: { postId: string } | { copyId: string };
  anonymous?: boolean;
};

const filesPerQuery = 500;

/**
 * Removes those of the files that nothing shows any more, after the commit; what fails then goes with a later sweep. One that
 * someone else's story shows stays.
 */
export async function releaseFiles(tx: SiteTransaction, fileIds: string[], { from, anonymous = false }: Options = {}): Promise<void> {
  const shown = shownIn.map(
    ({ table, column }) => sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = files.id)`,
  );
  const candidates = [...new Set(fileIds)];
  for (let start = 0; start < candidates.length; start += filesPerQuery) {
    const some = candidates.slice(start, start + filesPerQuery);
    if (from && "copyId" in from)
      await tx.db.deleteFrom("copy_files").where("copyId", "=", from.copyId).where("fileId", "in", some).execute();
    if (from && "postId" in from)
      await tx.db.deleteFrom("post_files").where("postId", "=", from.postId).where("fileId", "in", some).execute();
    const released = await tx.db
      .updateTable("files")
      .set(anonymous ? { attachedAt: null, ownerId: null, name: "" } : { attachedAt: null })
      .where("id", "in", some)
      .where(sql<boolean>`not (${sql.join(shown, sql` or `)})`)
      .returning("id")
      .execute();
    discardAfterCommit(
      tx,
      released.map(({ id }) => id),
    );
  }
}

export function discardAfterCommit(tx: SiteTransaction, fileIds: string[]): void {
  for (const id of fileIds) tx.afterCommit((site) => discardFile(site, id));
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

/** In bytes. */
export type Storage = { used: number; quota: number };

export const bytesPerHour = 500 * megabyte;

export async function readStorage(site: Site, userId: string): Promise<Storage> {
  return { used: await readUsed(site, userId), quota: storageQuota(site.settings) };
}

async function readUsed({ db }: Pick<Site, "db"> | Pick<SiteTransaction, "db">, userId: string): Promise<number> {
  const row = await db.selectFrom("member_storage").select(["fileBytes", "textBytes"]).where("userId", "=", userId).executeTakeFirst();
  return row ? Number(row.fileBytes) + Number(row.textBytes) : 0;
}

/**
 * Called in the transaction that has just added something of the member's: what was added counts already, and who adds at the same time
 * waits for this transaction. @throws Invalid, which undoes it.
 */
export async function mustFitStorage(
  tx: SiteTransaction,
  { settings }: Pick<Site, "settings">,
  userId: string,
  field?: string,
): Promise<void> {
  const quota = storageQuota(settings);
  if ((await readUsed(tx, userId)) > quota) throw new Invalid(storageFull(quota), field);
}

export function storageFull(quota: number): string {
  return `You’ve used all ${sizeText(quota).replace(".0 ", " ")} of your storage`;
}

/**
 * Counts what a member sends, before anything is done with it, whatever becomes of it.
 * @throws TooMany once an hour holds more than `bytesPerHour`.
 */
export async function countSent(site: Site, { id: userId }: Member, bytes: number): Promise<void> {
  const now = site.now();
  const fresh = { hourBytes: bytes, hourEndsAt: now + hours(1) };
  const { hourBytes, hourEndsAt } = await site.db
    .insertInto("member_storage")
    .values({ userId, ...fresh })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet((eb) => {
        const over = eb("member_storage.hourEndsAt", "<=", now);
        const sum = eb("member_storage.hourBytes", "+", eb.ref("excluded.hourBytes"));
        return {
          hourBytes: eb.case().when(over).then(eb.ref("excluded.hourBytes")).else(sum).end(),
          hourEndsAt: eb.case().when(over).then(eb.ref("excluded.hourEndsAt")).else(eb.ref("member_storage.hourEndsAt")).end(),
        };
      }),
    )
    .returning(["hourBytes", "hourEndsAt"])
    .executeTakeFirstOrThrow();
  if (Number(hourBytes) <= bytesPerHour) return;
  const seconds = Math.max(1, Math.ceil((Number(hourEndsAt) - now) / 1000));
  throw new TooMany(
    `You’ve uploaded ${sizeText(bytesPerHour).replace(".0 ", " ")} within an hour. Please try again in ${Math.ceil(seconds / 60)} minutes.`,
    seconds,
  );
}
