import { makeVariant, type VariantFormat } from "#platform/files/images.ts";
import { may } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { originalKey } from "./file-keys.ts";
import { pictureWidths } from "./picture.ts";
import { findInStories } from "./story-files.server.ts";

/** A file that the viewer may have; `isPublic` when everybody may. */
export type ReadableFile = { id: string; name: string; type: string; size: number; width: number | null; isPublic: boolean };

/**
 * Looks a file up through what shows it: a published story or a profile for everybody, a draft for its author and
 * administrators, a message for the two people and administrators; what nothing shows yet, for whoever sent it.
 * @throws NotFound also when the viewer may not have it.
 */
export async function findReadableFile(site: Site, viewer: Viewer, fileId: string): Promise<ReadableFile> {
  const file = await site.db
    .selectFrom("files as f")
    .leftJoin("posts as p", "p.featuredImage", "f.id")
    .leftJoin("profiles as o", "o.profileImage", "f.id")
    .select(["f.id", "f.name", "f.type", "f.size", "f.width", "f.ownerId", "p.status", "p.userId as authorId", "o.userId as portraitOf"])
    .where("f.id", "=", fileId)
    .orderBy("p.status")
    .executeTakeFirst();
  if (!file) throw new NotFound();
  const { status, authorId, portraitOf, ownerId, ...readable } = file;
  if (status === "active" || portraitOf !== null) return { ...readable, isPublic: true };
  const inStories = await findInStories(site, viewer, fileId);
  const isOwn = (viewer !== null && viewer.id === ownerId) || (authorId !== null && may(viewer, "read a draft", authorId));
  if (!inStories && !isOwn && !(await isInTheirMessages(site, viewer, fileId))) throw new NotFound();
  return { ...readable, isPublic: inStories === "public" };
}

async function isInTheirMessages(site: Site, viewer: Viewer, fileId: string): Promise<boolean> {
  const message = await site.db.selectFrom("messages").select(["senderId", "receiverId"]).where("fileId", "=", fileId).executeTakeFirst();
  if (!message) return false;
  const { senderId, receiverId } = message;
  return may(viewer, "read a conversation", viewer?.id === receiverId ? receiverId : senderId);
}

const making = new Map<string, Promise<Buffer>>();

/**
 * The bytes of a picture in one of the kept widths and formats; made when first asked for, then kept. Two who ask at
 * once share the work.
 * @throws NotFound for a width that is not kept, or when the bytes are gone.
 */
export async function readVariant(site: Site, fileId: string, width: number, format: VariantFormat): Promise<Buffer> {
  if (!(pictureWidths as readonly number[]).includes(width)) throw new NotFound();
  const key = `${fileId}/${width}.${format}`;
  const kept = await site.files.get(key);
  if (kept) return kept;
  let work = making.get(key);
  if (!work) {
    work = make(site, fileId, width, format, key).finally(() => making.delete(key));
    making.set(key, work);
  }
  return work;
}

async function make(site: Site, fileId: string, width: number, format: VariantFormat, key: string): Promise<Buffer> {
  const original = await site.files.get(originalKey(fileId));
  if (!original) throw new NotFound();
  const variant = await makeVariant(original, width, format);
  // A store that takes nothing at the moment is no reason to show nothing.
  await site.files.put(key, variant).catch((error: unknown) => site.log.warn({ err: error, key }, "a picture's size was not kept"));
  return variant;
}
