import { sql } from "kysely";
import { sizeText } from "#domain/format.ts";
import { isBackingUp } from "#domain/jobs/lease.server.ts";
import { megabyte } from "#platform/bytes.ts";
import { originalKey } from "#platform/files/file-keys.ts";
import { PictureTimeout, readPicture, UnreadablePicture } from "#platform/files/images.ts";
import { newId } from "#platform/ids.ts";
import { hours } from "#platform/time.ts";
import { describeRemoved } from "../documents/live-documents.server.ts";
import { Invalid, TooMany, Unavailable } from "../refusals.ts";
import { storageQuota } from "../settings/settings.ts";
import { type Member, type Site, type SiteTransaction, transaction } from "../site.ts";
import { pictureMaxBytes, pictureTexts, tooLargeText } from "./picture.ts";

export type Upload = { name: string; bytes: Uint8Array };

export type StoredFile = { id: string; name: string; type: string; size: number };

/** The picture itself is refused: sending it again can't help. */
export function invalidPicture(message: string, field?: string): Invalid {
  return new Invalid(message, field, { kind: "invalid-picture" });
}

/** Decodes the bytes. @throws Invalid if they are too many, and as `refuseUnreadable`. */
export async function validatePicture(bytes: Uint8Array, field: string, maxBytes = pictureMaxBytes) {
  if (bytes.byteLength > maxBytes) throw invalidPicture(tooLargeText(maxBytes), field);
  return refuseUnreadable(readPicture(bytes), field);
}

/** @throws Invalid for `field` if `work` can't decode its picture; Unavailable if the machine is too busy to. */
export async function refuseUnreadable<Result>(work: Promise<Result>, field: string): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PictureTimeout) throw new Unavailable(pictureTexts.notStored, field);
    if (error instanceof UnreadablePicture) throw invalidPicture(pictureTexts.wrongType, field);
    throw error;
  }
}

/** Width and height are null if it is no picture that browsers show. */
export type NewFile = {
  name: string;
  type: string;
  bytes: Uint8Array;
  width: number | null;
  height: number | null;
  field?: string;
};

/**
 * Stores a checked file. The next sweep removes it unless `attachFile` is called before. The row is written first, so that the sweep finds
 * the bytes after a crash. @throws Invalid if the member's storage is full; Unavailable if the file can't be stored.
 */
export async function storeFile(site: Site, viewer: Member, { bytes, field, ...file }: NewFile): Promise<StoredFile> {
  const now = site.now();
  const stored = { id: newId(now), name: file.name.slice(-200), type: file.type, size: bytes.byteLength };
  const row = { ...file, ...stored, ownerId: viewer.id, createdAt: now, attachedAt: null };
  await transaction(site, async (tx) => {
    await tx.db.insertInto("files").values(row).execute();
    await requireStorage(tx, viewer.id, field);
  });
  try {
    await site.files.put(originalKey(stored.id), bytes);
  } catch (error) {
    // Some bytes may have been stored: the row stays for the sweep.
    site.log.error({ err: error, fileId: stored.id }, "a file could not be stored");
    throw new Unavailable(file.width === null ? "the file couldn’t be saved. Please try again." : pictureTexts.notStored);
  }
  return stored;
}

/** Keeps a file from the sweep. @throws Unavailable if it was swept already, as its upload took too long. */
export async function attachFile(tx: SiteTransaction, fileId: string): Promise<void> {
  const update = tx.db.updateTable("files").set({ attachedAt: tx.now() }).where("id", "=", fileId).where("ownerId", "is not", null);
  const [result] = await update.execute();
  if (!result?.numUpdatedRows) throw new Unavailable(pictureTexts.notStored);
}

/** Leaves a file to the next sweep. */
export async function detachFile(tx: SiteTransaction, fileId: string): Promise<void> {
  await tx.db.updateTable("files").set({ attachedAt: null }).where("id", "=", fileId).execute();
}

const shownIn = [
  { table: "posts", column: "featuredImage" },
  { table: "profiles", column: "profileImage" },
  { table: "messages", column: "fileId" },
  { table: "working_copies", column: "featuredImage" },
] as const;

const linkTables = ["post_files", "copy_files", "fetched_pictures"] as const;

export const fileReferences = [...shownIn, ...linkTables.map((table) => ({ table, column: "fileId" as const }))];

/** Removes a file from everything that shows it. Without an owner it can't be attached again while its bytes wait for the sweep. */
export async function removeFromEverything(tx: SiteTransaction, fileId: string): Promise<void> {
  const [removed] = await describeRemoved(tx, "files", [fileId]);
  if (removed) tx.changed("file.removed", removed);
  await tx.db.updateTable("files").set({ attachedAt: null, ownerId: null, name: "", public: false }).where("id", "=", fileId).execute();
  for (const { table, column } of shownIn)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${sql.ref(column)} = ${fileId}`.execute(tx.db);
  for (const table of linkTables) await tx.db.deleteFrom(table).where("fileId", "=", fileId).execute();
  discardAfterCommit(tx, [fileId]);
}

/** A text that shows files. */
export type LinkOwner = { postId: string } | { copyId: string };

export function linksOf(owner: LinkOwner) {
  return "postId" in owner
    ? ({ table: "post_files", column: "postId", id: owner.postId } as const)
    : ({ table: "copy_files", column: "copyId", id: owner.copyId } as const);
}

type Options = { from?: LinkOwner; anonymous?: boolean };

const filesPerQuery = 500;

/** Removes, after the commit, those of the files that nothing shows any more. What fails is left to the sweep. */
export async function releaseFiles(tx: SiteTransaction, fileIds: string[], { from, anonymous = false }: Options = {}): Promise<void> {
  const references = fileReferences.map(
    ({ table, column }) => sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = files.id)`,
  );
  const candidates = [...new Set(fileIds)];
  const links = from && linksOf(from);
  for (let start = 0; start < candidates.length; start += filesPerQuery) {
    const some = candidates.slice(start, start + filesPerQuery);
    if (links)
      await sql`delete from ${sql.table(links.table)} where ${sql.ref(links.column)} = ${links.id} and "fileId" in (${sql.join(some)})`.execute(
        tx.db,
      );
    const released = await tx.db
      .updateTable("files")
      .set(anonymous ? { attachedAt: null, ownerId: null, name: "" } : { attachedAt: null })
      .where("id", "in", some)
      .where(sql<boolean>`not (${sql.join(references, sql` or `)})`)
      .returning("id")
      .execute();
    discardAfterCommit(
      tx,
      released.map(({ id }) => id),
    );
  }
}

export function discardAfterCommit(tx: SiteTransaction, fileIds: string[]): void {
  if (fileIds.length > 0) tx.afterCommit((site) => discardFiles(site, fileIds));
}

/** More would keep a request waiting: a file takes a round trip to the store. */
const maxAwaitedFiles = 20;

/** Removes unattached files, or leaves them to the sweep: at the first failure all others, as each could take the store's whole timeout. */
export async function discardFiles(site: Site, fileIds: string[]): Promise<void> {
  const discardAll = async () => {
    for (const id of fileIds) if ((await discardFile(site, id)) === "left") return;
  };
  if (fileIds.length <= maxAwaitedFiles) await discardAll();
  else void site.background.run("removing files", discardAll);
}

/**
 * Removes unattached files that were sent before `before` (milliseconds), such as uploads that a crash left behind. Stops if the store is
 * down, as each attempt could take the whole timeout. Returns how many it removed.
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
    if ((await discardFile(site, id)) === "removed") removed++;
    else if (!(await isStoreAvailable(site))) break;
  }
  return removed;
}

async function isStoreAvailable(site: Site): Promise<boolean> {
  return site.files.check().then(
    () => true,
    () => false,
  );
}

/**
 * Removes a file unless it is attached. First its owner, so that it can't be attached any more, and the row last, as nothing else finds the
 * bytes. Not during a backup, which may include the row. Never throws, as it is called after another error. @returns `left` if the sweep has
 * to remove it.
 */
export async function discardFile(site: Site, fileId: string): Promise<"removed" | "attached" | "left"> {
  try {
    if (await isBackingUp(site)) return "left";
    const unattached = site.db
      .updateTable("files")
      .set({ ownerId: null, name: "" })
      .where("id", "=", fileId)
      .where("attachedAt", "is", null);
    if (!(await unattached.executeTakeFirstOrThrow()).numUpdatedRows) return "attached";
    await site.files.deleteFolder(fileId);
    await site.db.deleteFrom("files").where("id", "=", fileId).where("attachedAt", "is", null).execute();
    return "removed";
  } catch (error) {
    site.log.warn({ err: error, fileId }, "a file could not be removed yet");
    return "left";
  }
}

/** Bytes. */
export type Storage = { used: number; quota: number };

export const uploadBytesPerHour = 500 * megabyte;

export async function readStorage(site: Site, userId: string): Promise<Storage> {
  return { used: await readUsed(site, userId), quota: storageQuota(site.settings) };
}

async function readUsed({ db }: Pick<Site, "db"> | Pick<SiteTransaction, "db">, userId: string): Promise<number> {
  const row = await db.selectFrom("member_storage").select(["fileBytes", "textBytes"]).where("userId", "=", userId).executeTakeFirst();
  return row ? Number(row.fileBytes) + Number(row.textBytes) : 0;
}

/** Call it in the transaction, after the rows were added: they are counted, and parallel additions wait. */
export async function isStorageFull(tx: SiteTransaction, userId: string): Promise<boolean> {
  return (await readUsed(tx, userId)) > storageQuota(tx.settings);
}

/** As `isStorageFull`. @throws Invalid. */
export async function requireStorage(tx: SiteTransaction, userId: string, field?: string): Promise<void> {
  if (await isStorageFull(tx, userId)) throw new Invalid(storageFull(storageQuota(tx.settings)), field);
}

export function storageFull(quota: number): string {
  return `You’ve used all ${sizeText(quota).replace(".0 ", " ")} of your storage`;
}

/** Call it before the bytes are processed; they count even if refused. @throws TooMany beyond `uploadBytesPerHour`. */
export async function countUploaded(site: Site, { id: userId }: Member, bytes: number): Promise<void> {
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
  if (Number(hourBytes) <= uploadBytesPerHour) return;
  const seconds = Math.max(1, Math.ceil((Number(hourEndsAt) - now) / 1000));
  throw new TooMany(
    `You’ve uploaded ${sizeText(uploadBytesPerHour).replace(".0 ", " ")} within an hour. Please try again in ${Math.ceil(seconds / 60)} minutes.`,
    seconds,
  );
}
