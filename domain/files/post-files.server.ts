import type { ExpressionBuilder } from "kysely";
import { limitAttempts } from "#domain/limits/attempts.server.ts";
import { forUpdate } from "#platform/database/locks.ts";
import type { Tables } from "#platform/database/schema.ts";
import { cropToJpeg, isAnimationAllowed, shrinkAnimated, shrinkPicture, UnreadablePicture } from "#platform/files/images.ts";
import type { PicturePlacement } from "#platform/markup/place-pictures.ts";
import { may, mustBeAllowed } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import type { Member, Site, SiteTransaction, Viewer } from "../site.ts";
import { acceptPicture, countSent, type StoredFile, storeFile, type Upload } from "./files.server.ts";
import {
  animatedImageMax,
  featuredHeight,
  featuredQuality,
  featuredWidth,
  fileUrl,
  optimizedName,
  pictureTexts,
  pictureUrl,
  pictureWidths,
  storyPictureMax,
} from "./picture.ts";

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

/** `address` is what the text shows. */
export type PostPicture = StoredFile & { address: string };

/**
 * Checks and keeps a picture that is in a story's text, without metadata and at most 2000 pixels wide; one that moves goes on moving,
 * at most 1200 wide. It belongs to nothing until a save of the story links it (`linkFiles`); until then the next sweep may remove it.
 * @throws Invalid as for a featured picture, and for one that moves for too long; Unavailable when it can't be stored.
 */
export async function storePostPicture(site: Site, viewer: Member, upload: Upload): Promise<PostPicture> {
  await countSent(site, viewer, upload.bytes.byteLength);
  const info = await acceptPicture(upload.bytes, "content");
  const moves = info.frames > 1;
  if (moves && !isAnimationAllowed(info)) throw new Invalid(pictureTexts.movesTooLong, "content");
  const { bytes, width, height } = await orWrongType(
    moves ? shrinkAnimated(upload.bytes, animatedImageMax) : shrinkPicture(upload.bytes, storyPictureMax),
  );
  const name = optimizedName(upload.name).replace(/jpg$/, "webp");
  const file = await storeFile(site, viewer, { name, type: "image/webp", bytes, width, height, field: "content" });
  // The sizes that are made for pages stand still.
  return { ...file, address: moves ? fileUrl(file.id) : pictureUrl(file.id, 1200, "webp") };
}

const sendLimit = { max: 200, minutes: 60 };

/**
 * Takes a picture for a story that is being written: its featured one, or one for its text. Only the sender sees it until
 * the story is published, and it is swept unless a save shows it.
 * @throws Invalid for what is no picture or over 10 MB, TooMany beyond 200 in an hour, Unavailable when it can't be stored.
 */
export async function sendPicture(site: Site, viewer: Viewer, kind: "featured" | "text", upload: Upload | undefined): Promise<PostPicture> {
  mustBeAllowed(viewer, "keep unfinished work");
  if (!upload) throw new Invalid("Please select a valid image file");
  await limitAttempts(site, { kind: "picture", subject: viewer.id }, sendLimit);
  if (kind === "text") return storePostPicture(site, viewer, upload);
  const file = await storeFeaturedPicture(site, viewer, upload);
  return { ...file, address: pictureUrl(file.id, 1200) };
}

async function orWrongType<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof UnreadablePicture ? new Invalid(pictureTexts.wrongType, "content") : error;
  }
}

/** The width in which readers see a picture of a text; beyond it the browser chooses among the sizes that are kept. */
const columnWidth = "(min-width: 44.5rem) 42.5rem, 100vw";

/** Width, height and other sizes of the member's own pictures, and of those in stories, by the address that a text shows them by. */
export async function sizedPictures(
  { db }: Pick<Site, "db">,
  memberId: string,
  fileIds: string[],
): Promise<NonNullable<PicturePlacement["sized"]>> {
  if (fileIds.length === 0) return {};
  const files = await db
    .selectFrom("files")
    .select(["id", "width", "height"])
    .where("id", "in", fileIds)
    .where("width", "is not", null)
    .where((eb) => eb.or([eb("ownerId", "=", memberId), isInStory(eb)]))
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

type Owner = { postId: string } | { copyId: string };

/** Notes which of the viewer's own files a text shows. Naming someone else's opens nothing. */
export async function linkFiles(tx: SiteTransaction, viewer: Member, owner: Owner, fileIds: string[]): Promise<void> {
  if (fileIds.length === 0) return;
  // What a sweep takes from its owner is gone by here; it waits for the others, and finds them attached.
  await forUpdate(tx, tx.db.selectFrom("files").select("id").where("id", "in", fileIds).orderBy("id")).execute();
  const mine = tx.db.selectFrom("files").where("id", "in", fileIds).where("ownerId", "=", viewer.id).where(isForPosts);
  if ("copyId" in owner)
    await tx.db
      .insertInto("copy_files")
      .columns(["copyId", "fileId"])
      .expression(mine.select((eb) => [eb.val(owner.copyId).as("copyId"), "files.id as fileId"]))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await tx.db
      .insertInto("post_files")
      .columns(["postId", "fileId"])
      .expression(mine.select((eb) => [eb.val(owner.postId).as("postId"), "files.id as fileId"]))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await tx.db
    .updateTable("files")
    .set({ attachedAt: tx.now() })
    .where("id", "in", fileIds)
    .where("ownerId", "=", viewer.id)
    .where("attachedAt", "is", null)
    .execute();
}

function isInStory(eb: ExpressionBuilder<Tables, "files">) {
  return eb.exists(eb.selectFrom("post_files").select("post_files.postId").whereRef("post_files.fileId", "=", "files.id"));
}

function isForPosts(eb: ExpressionBuilder<Tables, "files">) {
  return eb.or([
    eb("files.attachedAt", "is", null),
    isInStory(eb),
    eb.exists(eb.selectFrom("copy_files").select("copy_files.copyId").whereRef("copy_files.fileId", "=", "files.id")),
    eb.exists(eb.selectFrom("posts").select("posts.id").whereRef("posts.featuredImage", "=", "files.id")),
    eb.exists(eb.selectFrom("working_copies").select("working_copies.id").whereRef("working_copies.featuredImage", "=", "files.id")),
  ]);
}

/**
 * The file as a story's picture: one's own, or the one that the story or the working copy has already. Null when it is
 * neither, or gone: a text is never refused for its picture.
 */
export async function ownPicture(
  tx: SiteTransaction,
  viewer: Member,
  fileId: string | null,
  of: { id?: string; postId?: string | null },
): Promise<string | null> {
  if (!fileId) return null;
  const { id: copyId = "", postId } = of;
  const file = await tx.db
    .selectFrom("files")
    .select("id")
    .where("id", "=", fileId)
    .where("type", "like", "image/%")
    .where((eb) =>
      eb.or([
        eb.and([eb("ownerId", "=", viewer.id), isForPosts(eb)]),
        eb.exists(
          eb
            .selectFrom("posts")
            .select("posts.id")
            .where("posts.id", "=", postId ?? "")
            .where("featuredImage", "=", fileId),
        ),
        eb.exists(
          eb
            .selectFrom("working_copies")
            .select("working_copies.id")
            .where("working_copies.id", "=", copyId)
            .where("featuredImage", "=", fileId),
        ),
      ]),
    )
    .executeTakeFirst();
  return file ? fileId : null;
}

export async function findInPosts(
  site: Site,
  viewer: Viewer,
  fileId: string,
): Promise<{ id: string; status: string; userId: string } | undefined> {
  const story = await site.db
    .selectFrom("post_files")
    .innerJoin("posts", "posts.id", "post_files.postId")
    .select(["posts.id", "posts.status", "posts.userId"])
    .where("post_files.fileId", "=", fileId)
    .orderBy("posts.status")
    .executeTakeFirst();
  return story && (story.status === "active" || may(viewer, "read a draft", story.userId)) ? story : undefined;
}
