import { originalKey } from "#platform/files/file-keys.ts";
import { makeVariant, type VariantFormat } from "#platform/files/images.ts";
import { QueueFull } from "#platform/queues/fair-queue.ts";
import { recordAccess, recordDraftAccess } from "../audit/record-access.server.ts";
import { may, requirePermission } from "../permissions.ts";
import { isReadable, type ReadablePost } from "../readable-posts.server.ts";
import { NotFound, Unavailable } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { pictureWidths } from "./picture.ts";
import { findInPosts } from "./post-files.server.ts";

export type ReadableFile = {
  id: string;
  name: string;
  type: string;
  size: number;
  width: number | null;
  /** How many chunks its bytes are stored in. */
  chunks: number;
  isPublic: boolean;
};

/**
 * A file is readable through what shows it: by everyone in a published story or profile; in a draft, or if a story showed it once, by those
 * who may read the draft; by its two members and administrators in a message; and by its sender before anything shows it. What only staff
 * may see is audited, except a draft's featured picture, which the list of stories shows.
 * @throws NotFound, also if the viewer may not read it; ReauthenticationRequired for administrators reading a message's file.
 */
export async function findReadableFile(site: Site, viewer: Viewer, fileId: string): Promise<ReadableFile> {
  const file = await site.db
    .selectFrom("files as f")
    .leftJoin("posts as p", "p.featuredImage", "f.id")
    .leftJoin("profiles as o", "o.profileImage", "f.id")
    .select([
      "f.id",
      "f.name",
      "f.type",
      "f.size",
      "f.width",
      "f.pieces as chunks",
      "f.ownerId",
      "p.id as postId",
      "p.status",
      "p.userId as authorId",
      "p.heldBy",
      "p.updatedAt",
      "o.userId as avatarOf",
    ])
    .where("f.id", "=", fileId)
    .orderBy("p.status")
    .executeTakeFirst();
  if (!file) throw new NotFound();
  const { postId, status, authorId, heldBy, updatedAt, avatarOf, ownerId, ...readable } = file;
  if (status === "active" || avatarOf !== null) return { ...readable, isPublic: true };
  const inPosts = await findInPosts(site, viewer, fileId);
  const featuring = { id: postId, status, userId: authorId, heldBy, updatedAt } as ReadablePost;
  const isFeatured = postId !== null && (await isReadable(site, viewer, featuring));
  const isOwn = (viewer !== null && viewer.id === ownerId) || isFeatured;
  if (!inPosts && !isOwn && !(await isInTheirMessages(site, viewer, fileId))) await requirePrivateAccess(site, viewer, fileId);
  if (inPosts && !isOwn) await recordDraftAccess(site, viewer, inPosts);
  return { ...readable, isPublic: inPosts?.showsFile === true };
}

/** @throws NotFound, ReauthenticationRequired */
async function requirePrivateAccess(site: Site, viewer: Viewer, fileId: string): Promise<void> {
  if (!viewer || !may(viewer, "read private messages")) throw new NotFound();
  requirePermission(viewer, "read private messages");
  await recordAccess(site, viewer, { action: "file.opened", subject: `file:${fileId}` });
}

async function isInTheirMessages(site: Site, viewer: Viewer, fileId: string): Promise<boolean> {
  const message = await site.db
    .selectFrom("messages")
    .select(["id", "senderId", "receiverId", "withheld"])
    .where("fileId", "=", fileId)
    .executeTakeFirst();
  if (!message) return false;
  const { senderId, receiverId, id, withheld } = message;
  if (viewer && (viewer.id === senderId || (viewer.id === receiverId && !withheld))) return may(viewer, "read a conversation", viewer.id);
  if (!viewer || !may(viewer, "read private messages")) return false;
  requirePermission(viewer, "read private messages");
  await recordAccess(site, viewer, { action: "file.opened", subject: `file:${fileId}`, after: { message: id } });
  return true;
}

/** A resized picture, made at the first request. Parallel requests share the work. @throws NotFound for an unknown width or missing bytes. */
export async function readVariant(site: Site, fileId: string, width: number, format: VariantFormat): Promise<Buffer> {
  if (!(pictureWidths as readonly number[]).includes(width)) throw new NotFound();
  const key = `${fileId}/${width}.${format}`;
  const stored = await site.files.get(key);
  if (stored) return stored;
  const { variants } = site.memory;
  const work = variants.get(key) ?? make(site, fileId, width, format, key).finally(() => variants.delete(key));
  variants.set(key, work);
  return work;
}

async function make(site: Site, fileId: string, width: number, format: VariantFormat, key: string): Promise<Buffer> {
  let failed: unknown;
  const read = async () => {
    try {
      const original = await site.files.get(originalKey(fileId));
      if (original) return original;
      throw new NotFound();
    } catch (error) {
      failed = error;
      throw error;
    }
  };
  const variant = await makeVariant(read, width, format).catch((error) => {
    if (failed) throw failed;
    throw error instanceof QueueFull ? new Unavailable("The site is busy with pictures right now. Please try again.", undefined, 5) : error;
  });
  await site.files.put(key, variant).catch((error: unknown) => site.log.warn({ err: error, key }, "a resized picture was not saved"));
  return variant;
}
