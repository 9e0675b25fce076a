import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { enforceRateLimit } from "#domain/limits/rate-limits.server.ts";
import { readBytes } from "#platform/bounded-body.ts";
import { megabyte } from "#platform/bytes.ts";
import { countRows } from "#platform/database/count-rows.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { chunkKey, originalKey } from "#platform/files/file-keys.ts";
import { newId } from "#platform/ids.ts";
import { recordAccess } from "../audit/record-access.server.ts";
import { may, requirePermission } from "../permissions.ts";
import { Conflict, Invalid, NotAllowed, NotFound, TooLarge, Unavailable } from "../refusals.ts";
import { type Member, type Site, transaction, type Viewer } from "../site.ts";
import { attachFile, countUploaded, removeFromEverything, requireStorage, type Upload } from "./files.server.ts";
import { pictureMaxBytes, pictureTexts } from "./picture.ts";
import { findReadableFile } from "./serve.server.ts";

/** Bytes. Only the last chunk is shorter. */
export const chunkBytes = 5 * megabyte;

export type Chunk = {
  id?: string | undefined;
  name: string;
  type: string;
  bytes: Uint8Array;
  /** Offset of the chunk and size of the file; undefined for a file in one chunk. */
  of?: { start: number; total: number } | undefined;
  publicly: boolean;
};

const uploads = { max: 600, minutes: 60 };

/**
 * Stores a file or a chunk of one. Chunks may come in any order, in parallel and repeatedly. Files that stay incomplete for an hour are
 * swept. @returns the file's id. @throws Invalid for a chunk that doesn't fit, or if the member's storage is full; TooLarge, Conflict for an
 * id that is taken, TooMany, Unavailable.
 */
export async function storeChunk(site: Site, viewer: Viewer, chunk: Chunk): Promise<string> {
  requirePermission(viewer, "upload files");
  if (chunk.publicly) requirePermission(viewer, "upload files for others");
  const { bytes, of = { start: 0, total: bytes.byteLength } } = chunk;
  const chunks = checkPlace(bytes, of);
  const number = of.start / chunkBytes;
  await enforceRateLimit(site, { kind: "upload", subject: viewer.id }, uploads);
  await countUploaded(site, viewer, bytes.byteLength);
  const id = await expectFile(site, viewer, chunk, { chunks, size: of.total });
  try {
    await site.files.put(keyOf(id, number, chunks), bytes);
  } catch (error) {
    site.log.error({ err: error, fileId: id }, "a file could not be stored");
    throw new Unavailable(pictureTexts.notStored);
  }
  if (await hasAll(site, id, number)) await finish(site, id);
  return id;
}

function checkPlace(bytes: Uint8Array, { start, total }: { start: number; total: number }): number {
  const length = Math.min(chunkBytes, total - start);
  if (start % chunkBytes !== 0 || bytes.byteLength !== length || length <= 0)
    throw new Invalid("The chunk doesn’t fit the file", undefined, { kind: "content-range" });
  return Math.ceil(total / chunkBytes);
}

/** The row is written first, so that the sweep finds the bytes after a crash. */
async function expectFile(site: Site, viewer: Member, chunk: Chunk, { chunks, size }: { chunks: number; size: number }): Promise<string> {
  const now = site.now();
  const id = chunk.id ?? newId(now);
  const row = { id, ownerId: viewer.id, name: chunk.name, type: chunk.type, size, pieces: chunks, public: chunk.publicly };
  const isNew = await transaction(site, async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto("files")
      .values({ ...row, width: null, height: null, createdAt: now, attachedAt: null })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirstOrThrow();
    // Counts the announced size, so that several unfinished files can't exceed the storage together.
    if (numInsertedOrUpdatedRows) await requireStorage(tx, viewer.id);
    return Boolean(numInsertedOrUpdatedRows);
  });
  if (isNew) return id;
  const inserted = await site.db
    .selectFrom("files")
    .select("id")
    .where("id", "=", id)
    .where("ownerId", "=", viewer.id)
    .where("size", "=", size)
    .where("pieces", ">", 1)
    .where("signature", "is", null)
    .where("attachedAt", "is", null)
    .executeTakeFirst();
  if (!inserted || chunks === 1) throw new Conflict("A storage file with the requested ID already exists.");
  return id;
}

/** Locks the file's row: of parallel chunks, the last one sees all others. */
function hasAll(site: Site, fileId: string, number: number): Promise<boolean> {
  return transaction(site, async (tx) => {
    const own = tx.db.selectFrom("files").select("pieces").where("id", "=", fileId);
    const file = await forUpdate(tx, own).executeTakeFirst();
    if (!file) throw new Unavailable(pictureTexts.notStored);
    await tx.db
      .insertInto("file_pieces")
      .values({ fileId, number })
      .onConflict((conflict) => conflict.columns(["fileId", "number"]).doNothing())
      .execute();
    // Protects an upload in progress from the sweep.
    await tx.db.updateTable("files").set({ createdAt: tx.now() }).where("id", "=", fileId).execute();
    return (await countRows(tx.db.selectFrom("file_pieces").where("fileId", "=", fileId))) === file.pieces;
  });
}

async function finish(site: Site, fileId: string): Promise<void> {
  const { size, chunks } = await site.db
    .selectFrom("files")
    .select(["size", "pieces as chunks"])
    .where("id", "=", fileId)
    .executeTakeFirstOrThrow();
  const hash = createHash("md5");
  const bytes = await streamFile(site, { id: fileId, chunks }, 0, size - 1);
  if (!bytes) throw new Unavailable(pictureTexts.notStored);
  for await (const part of bytes) hash.update(part as Uint8Array);
  const signature = hash.digest("hex");
  await transaction(site, async (tx) => {
    const done = tx.db.updateTable("files").set({ signature }).where("id", "=", fileId).where("signature", "is", null);
    const { numUpdatedRows } = await done.executeTakeFirstOrThrow();
    if (!numUpdatedRows) return;
    await attachFile(tx, fileId);
    tx.changed("file.created", { id: fileId });
  });
}

function keyOf(fileId: string, number: number, chunks: number): string {
  return chunks === 1 ? originalKey(fileId) : chunkKey(fileId, number);
}

/** Both ends are included, across chunks; undefined if bytes are missing. */
export async function streamFile(
  site: Site,
  { id, chunks }: { id: string; chunks: number },
  start: number,
  end: number,
): Promise<Readable | undefined> {
  if (chunks === 1) return site.files.stream(originalKey(id), start, end);
  const from = Math.floor(start / chunkBytes);
  const first = await site.files.stream(
    keyOf(id, from, chunks),
    start - from * chunkBytes,
    Math.min(end - from * chunkBytes, chunkBytes - 1),
  );
  return first && Readable.from(join(site, first, { id, chunks, from, end }), { objectMode: false });
}

async function* join(site: Site, first: Readable, { id, chunks, from, end }: { id: string; chunks: number; from: number; end: number }) {
  yield* first;
  for (let number = from + 1; number * chunkBytes <= end; number++) {
    const next = await site.files.stream(keyOf(id, number, chunks), 0, Math.min(end - number * chunkBytes, chunkBytes - 1));
    if (!next) throw new Error(`chunk ${number} of file ${id} is missing`);
    yield* next;
  }
}

/** @throws NotFound, TooLarge beyond 10 MB. */
export async function readFileBytes(site: Site, file: { id: string; size: number; chunks: number }): Promise<Buffer> {
  if (file.size > pictureMaxBytes) throw new TooLarge(pictureTexts.tooLarge);
  const bytes = await streamFile(site, file, 0, Math.max(0, file.size - 1));
  if (!bytes) throw new NotFound();
  return readBytes(bytes);
}

/** The viewer's own file, for a verb that takes an upload. @throws Invalid for any other. */
export async function readOwnFile(site: Site, viewer: Member, id: string): Promise<Upload> {
  const file = await site.db
    .selectFrom("files")
    .select(["id", "name", "size", "pieces as chunks"])
    .where("id", "=", id)
    .where("ownerId", "=", viewer.id)
    .where("signature", "is not", null)
    .executeTakeFirst();
  if (!file) throw new Invalid("You didn’t upload the file with this id");
  return { name: file.name, bytes: await readFileBytes(site, file) };
}

export async function releaseOwnFile(site: Site, viewer: Member, id: string): Promise<void> {
  await removeOwnFile(site, viewer, id).catch((err) => site.log.warn({ err, fileId: id }, "a file stays until the next sweep"));
}

/** Renames an own file, or makes it public or private. @throws NotFound. */
export async function changeFile(site: Site, viewer: Viewer, id: string, changes: { name?: string; public?: boolean }): Promise<void> {
  await requireOwn(site, viewer, id);
  requirePermission(viewer, "upload files");
  if (changes.public) requirePermission(viewer, "upload files for others");
  await transaction(site, async (tx) => {
    await tx.db
      .updateTable("files")
      .set({ ...changes, updatedAt: tx.now() })
      .where("id", "=", id)
      .execute();
    tx.changed("file.changed", { id });
  });
}

/** Removes an own file from everything that shows it. @throws NotFound. */
export async function removeOwnFile(site: Site, viewer: Viewer, id: string): Promise<void> {
  await requireOwn(site, viewer, id);
  await transaction(site, (tx) => removeFromEverything(tx, id));
}

/** Staff remove files of others in the admin area, where it is audited (`removeAnyFile`). */
async function requireOwn(site: Site, viewer: Viewer, id: string): Promise<void> {
  const file = await site.db.selectFrom("files").select("ownerId").where("id", "=", id).executeTakeFirst();
  // Not found for viewers who may not read it.
  if (!file || !may(viewer, "see uploaded files", file.ownerId ?? "")) throw new NotFound();
  if (file.ownerId !== viewer?.id) throw new NotAllowed();
}

export type ServedFile = { id: string; name: string; type: string; size: number; chunks: number; isPublic: boolean; version: string };

/**
 * Readable are own uploads, public files, and files that something readable shows. Administrators' access to other files is audited.
 * @throws NotFound, also if the viewer may not read it.
 */
export async function findServedFile(site: Site, viewer: Viewer, id: string): Promise<ServedFile> {
  const row = await site.db
    .selectFrom("files")
    .select(["id", "name", "type", "size", "pieces as chunks", "ownerId", "signature", "public"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row?.signature && (row.public || may(viewer, "see uploaded files", row.ownerId ?? ""))) {
    if (viewer && !row.public && row.ownerId !== viewer.id)
      await recordAccess(site, viewer, { action: "file.opened", subject: `file:${id}` });
    return { id, name: row.name, type: row.type, size: row.size, chunks: row.chunks, isPublic: row.public, version: row.signature };
  }
  const { name, type, size, isPublic } = await findReadableFile(site, viewer, id);
  return { id, name, type, size, isPublic, chunks: row?.chunks ?? 1, version: id };
}
