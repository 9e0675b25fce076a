import { cropToJpeg, type PictureFormat } from "#platform/files/images.ts";
import { Invalid } from "../refusals.ts";
import { maxFileBytes } from "../settings/settings.ts";
import type { Member, Site } from "../site.ts";
import { acceptPicture, countSent, type StoredFile, storeFile, type Upload } from "./files.server.ts";
import { optimizedName, pictureTexts } from "./picture.ts";

/** Pixels on each side. */
const avatarSize = 400;
const field = "profileImage";

/** The most that a profile picture may have, in units of 1024 x 1024 bytes. */
export function avatarMegabytes({ settings }: Site): number {
  return settings.maxFileSize;
}

/**
 * Checks and keeps a profile picture, cut square and without metadata. @throws Invalid when it is no picture by its bytes, of a type that
 * the settings don’t allow, or larger than `avatarMegabytes`. Unavailable when it can't be stored; TooMany beyond an hour's bytes.
 */
export async function storeAvatar(site: Site, viewer: Member, upload: Upload): Promise<StoredFile> {
  await countSent(site, viewer, upload.bytes.byteLength);
  const { format } = await acceptPicture(upload.bytes, field, maxFileBytes(site.settings));
  if (!isAllowed(format, site.settings.allowedFileTypes)) throw new Invalid(pictureTexts.wrongType, field);
  const bytes = await cropToJpeg(upload.bytes, avatarSize, avatarSize, 88);
  const name = optimizedName(upload.name);
  return storeFile(site, viewer, { name, type: "image/jpeg", bytes, width: avatarSize, height: avatarSize, field });
}

/** The list is of endings, and WebP is not in the one that a site begins with: it goes where all other pictures go. */
function isAllowed(format: PictureFormat, allowed: readonly string[]): boolean {
  if (allowed.includes(format)) return true;
  const takesJpeg = allowed.includes("jpg") || allowed.includes("jpeg");
  if (format === "jpeg") return takesJpeg;
  return format === "webp" && takesJpeg && allowed.includes("png") && allowed.includes("gif");
}
