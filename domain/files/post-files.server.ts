import { type ExpressionBuilder, sql } from "kysely";
import { enforceRateLimit } from "#domain/limits/rate-limits.server.ts";
import { forUpdate } from "#platform/database/locks.ts";
import type { Tables } from "#platform/database/schema.ts";
import { originalKey } from "#platform/files/file-keys.ts";
import { cropToJpeg, isAnimationAllowed, shrinkPicture } from "#platform/files/images.ts";
import type { ReplacementPictures } from "#platform/markup/replace-external-pictures.ts";
import { requirePermission } from "../permissions.ts";
import type { PostStatus } from "../posts/post.ts";
import { isReadable } from "../readable-posts.server.ts";
import { Unavailable } from "../refusals.ts";
import type { Member, Site, SiteTransaction, Viewer } from "../site.ts";
import {
  countUploaded,
  invalidPicture,
  type LinkOwner,
  linksOf,
  refuseUnreadable,
  releaseFiles,
  type StoredFile,
  storeFile,
  type Upload,
  validatePicture,
} from "./files.server.ts";
import {
  animatedImageMaxWidth,
  featuredHeight,
  featuredQuality,
  featuredWidth,
  fileUrl,
  optimizedName,
  pictureTexts,
  pictureUrl,
  pictureWidths,
  postPictureMaxWidth,
} from "./picture.ts";

/**
 * Stores a featured picture, cropped to 1200x630, without metadata. The next sweep removes it unless it is attached.
 * @throws Invalid if it is no picture or over 10 MB (specification §5); Unavailable if it can't be stored; TooMany beyond an hour's bytes.
 */
export async function storeFeaturedPicture(site: Site, viewer: Member, upload: Upload): Promise<StoredFile> {
  await countUploaded(site, viewer, upload.bytes.byteLength);
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

/** Unchanged if the browser has cropped it already. */
async function featuredBytes({ bytes }: Upload): Promise<Uint8Array> {
  const { format, width, height, hasMetadata } = await validatePicture(bytes, "featuredImage");
  if (format === "jpeg" && width === featuredWidth && height === featuredHeight && !hasMetadata) return bytes;
  return refuseUnreadable(cropToJpeg(bytes, featuredWidth, featuredHeight, featuredQuality * 100), "featuredImage");
}

/** Whether a featured picture was made from this upload. Counts the upload's bytes. @throws as `storeFeaturedPicture`. */
export async function isFeaturedPicture(site: Site, viewer: Member, fileId: string, upload: Upload): Promise<boolean> {
  await countUploaded(site, viewer, upload.bytes.byteLength);
  const bytes = await featuredBytes(upload);
  const stored = await site.files.get(originalKey(fileId)).catch(() => {
    throw new Unavailable(pictureTexts.notStored);
  });
  return stored?.equals(bytes) ?? false;
}

/** `url`: as in the text. */
export type PostPicture = StoredFile & { url: string };

/**
 * Stores a picture of a story's text, without metadata, at most 2000 pixels wide; an animated one at most 1200. The next sweep may remove
 * it unless a save links it (`linkFiles`). @throws as `storeFeaturedPicture`; Invalid if the animation is too long.
 */
export async function storePostPicture(site: Site, viewer: Member, upload: Upload): Promise<PostPicture> {
  await countUploaded(site, viewer, upload.bytes.byteLength);
  const info = await validatePicture(upload.bytes, "content");
  const moves = info.frames > 1;
  if (moves && !isAnimationAllowed(info)) throw invalidPicture(pictureTexts.animationTooLong, "content");
  const { bytes, width, height } = await refuseUnreadable(
    shrinkPicture(upload.bytes, moves ? animatedImageMaxWidth : postPictureMaxWidth, moves),
    "content",
  );
  const name = optimizedName(upload.name).replace(/jpg$/, "webp");
  const file = await storeFile(site, viewer, { name, type: "image/webp", bytes, width, height, field: "content" });
  // Resized variants are not animated.
  return { ...file, url: moves ? fileUrl(file.id) : pictureUrl(file.id, 1200, "webp") };
}

const sendLimit = { max: 200, minutes: 60 };

/** Stores a picture for a draft, visible to its sender only. @throws as `storeFeaturedPicture`; TooMany beyond 200 in an hour. */
export async function storeDraftPicture(
  site: Site,
  viewer: Viewer,
  kind: "featured" | "text",
  upload: Upload | undefined,
): Promise<PostPicture> {
  requirePermission(viewer, "save unfinished work");
  if (!upload) throw invalidPicture(pictureTexts.wrongType);
  await enforceRateLimit(site, { kind: "picture", subject: viewer.id }, sendLimit);
  if (kind === "text") return storePostPicture(site, viewer, upload);
  const file = await storeFeaturedPicture(site, viewer, upload);
  return { ...file, url: pictureUrl(file.id, 1200) };
}

/** The width of a picture in a text. */
const columnWidth = "(min-width: 44.5rem) 42.5rem, 100vw";

/** Attributes of pictures by their URL in a text: of the member's own pictures and those in stories. */
export async function sizedPictures(
  { db }: Pick<Site, "db">,
  memberId: string,
  fileIds: string[],
): Promise<NonNullable<ReplacementPictures["sized"]>> {
  if (fileIds.length === 0) return {};
  const files = await db
    .selectFrom("files")
    .select(["id", "width", "height"])
    .where("id", "in", fileIds)
    .where("width", "is not", null)
    .where((eb) => eb.or([eb("ownerId", "=", memberId), isInPost(eb)]))
    .execute();
  return Object.fromEntries(
    files.flatMap(({ id, width, height }) => {
      if (!width || !height) return [];
      const shown = Math.min(width, 1200);
      const size = { width: shown, height: Math.round((height * shown) / width) };
      const widths = pictureWidths.filter((each) => each >= 320 && each < shown);
      const sources = [...widths.map((each) => `${pictureUrl(id, each, "webp")} ${each}w`), `${pictureUrl(id, 1200, "webp")} ${shown}w`];
      const several = widths.length > 0 && { srcSet: sources.join(", "), sizes: columnWidth };
      return [
        [fileUrl(id), size],
        [pictureUrl(id, 1200, "webp"), { ...size, ...several }],
      ];
    }),
  );
}

/** Records which of the viewer's own files a text shows. Another member's files are ignored, so that naming one gives no access. */
export async function linkFiles(tx: SiteTransaction, viewer: Member, owner: LinkOwner, fileIds: string[]): Promise<void> {
  if (fileIds.length === 0) return;
  // Locked against the sweep, which then finds them attached.
  await forUpdate(tx, tx.db.selectFrom("files").select("id").where("id", "in", fileIds).orderBy("id")).execute();
  const { table, column, id } = linksOf(owner);
  const mine = tx.db.selectFrom("files").where("id", "in", fileIds).where("ownerId", "=", viewer.id).where(isForPosts);
  const links = mine.select((eb) => [eb.val(id).as(column), "files.id as fileId"]);
  await sql`insert into ${sql.table(table)} (${sql.ref(column)}, "fileId") select * from ${links} as links where true
    on conflict do nothing`.execute(tx.db);
  await tx.db
    .updateTable("files")
    .set({ attachedAt: tx.now() })
    .where("id", "in", fileIds)
    .where("ownerId", "=", viewer.id)
    .where("attachedAt", "is", null)
    .execute();
}

function isInPost(eb: ExpressionBuilder<Tables, "files">) {
  return eb.exists(eb.selectFrom("post_files").select("post_files.postId").whereRef("post_files.fileId", "=", "files.id"));
}

function isForPosts(eb: ExpressionBuilder<Tables, "files">) {
  return eb.or([
    eb("files.attachedAt", "is", null),
    isInPost(eb),
    eb.exists(eb.selectFrom("copy_files").select("copy_files.copyId").whereRef("copy_files.fileId", "=", "files.id")),
    eb.exists(eb.selectFrom("posts").select("posts.id").whereRef("posts.featuredImage", "=", "files.id")),
    eb.exists(eb.selectFrom("working_copies").select("working_copies.id").whereRef("working_copies.featuredImage", "=", "files.id")),
  ]);
}

/**
 * The file's id if the viewer may use it as featured picture: it is their own, or the story or working copy has it already. Null otherwise,
 * so that a text is never refused because of its picture.
 */
export async function usablePicture(
  tx: SiteTransaction,
  viewer: Member,
  fileId: string | null,
  of: { id?: string; postId?: string | null },
): Promise<string | null> {
  if (!fileId) return null;
  const [copyId, postId] = [of.id ?? "", of.postId ?? ""];
  const file = await tx.db
    .selectFrom("files")
    .select("id")
    .where("id", "=", fileId)
    .where("type", "like", "image/%")
    .where((eb) =>
      eb.or([
        eb.and([eb("ownerId", "=", viewer.id), isForPosts(eb)]),
        eb(eb.val(fileId), "in", eb.selectFrom("posts").select("featuredImage").where("posts.id", "=", postId)),
        eb(eb.val(fileId), "in", eb.selectFrom("working_copies").select("featuredImage").where("working_copies.id", "=", copyId)),
      ]),
    )
    .executeTakeFirst();
  return file ? fileId : null;
}

/**
 * Releases files that a story had linked and that neither its text nor one of its versions names any more. Pictures from other sites stay,
 * because a version names them by their address.
 */
export async function releaseUnusedFiles(tx: SiteTransaction, postId: string): Promise<void> {
  const unused = await tx.db
    .selectFrom("post_files")
    .innerJoin("posts", "posts.id", "post_files.postId")
    .select("post_files.fileId")
    .where("posts.id", "=", postId)
    .where(sql<boolean>`not ${mentions("posts.content")}`)
    .where(sql<boolean>`not exists (select 1 from versions where versions."postId" = ${postId} and ${mentions("versions.markdown")})`)
    .where("post_files.fileId", "not in", (eb) => eb.selectFrom("fetched_pictures").select("fileId").where("postId", "=", postId))
    .execute();
  await releaseFiles(
    tx,
    unused.map(({ fileId }) => fileId),
    { from: { postId } },
  );
}

function mentions(text: "posts.content" | "versions.markdown") {
  return sql<boolean>`(${sql.ref(text)} like '%/files/' || post_files."fileId" || '%')`;
}

export type LinkedPost = { id: string; status: PostStatus; userId: string; showsFile: boolean };

/**
 * The story through which the viewer may see a file: a published one that shows it now; for those who could read it as a draft also one
 * that did.
 */
export async function findInPosts(site: Site, viewer: Viewer, fileId: string): Promise<LinkedPost | undefined> {
  const linked = site.db
    .selectFrom("post_files")
    .innerJoin("posts", "posts.id", "post_files.postId")
    .select(["posts.id", "posts.status", "posts.userId", "posts.heldBy", "posts.updatedAt"])
    .where("post_files.fileId", "=", fileId);
  const shown = await linked.where("posts.status", "=", "active").where(mentions("posts.content")).executeTakeFirst();
  if (shown) return { ...shown, showsFile: true };
  const own = viewer && (await linked.orderBy("posts.status").executeTakeFirst());
  return own && (await isReadable(site, viewer, { ...own, status: "inactive" })) ? { ...own, showsFile: false } : undefined;
}
