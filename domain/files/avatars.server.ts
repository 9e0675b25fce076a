import { cropToJpeg, type PictureFormat } from "#platform/files/images.ts";
import { requirePermission } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import { maxFileBytes } from "../settings/settings.ts";
import type { Member, Site } from "../site.ts";
import { countUploaded, refuseUnreadable, type StoredFile, storeFile, type Upload, validatePicture } from "./files.server.ts";
import { optimizedName, pictureTexts } from "./picture.ts";

const avatarSizePx = 400;
const field = "profileImage";

/** Maximum, in units of 1024 x 1024 bytes. */
export function avatarMegabytes({ settings }: Site): number {
  return settings.maxFileSize;
}

/**
 * Stores a profile picture, cropped square, without metadata. @throws Invalid if it is no picture, has a type that the settings don't
 * allow, or is larger than `avatarMegabytes`; Unavailable if it can't be stored; TooMany beyond an hour's bytes.
 */
export async function storeAvatar(site: Site, viewer: Member, upload: Upload): Promise<StoredFile> {
  requirePermission(viewer, "upload files for others");
  await countUploaded(site, viewer, upload.bytes.byteLength);
  const { format } = await validatePicture(upload.bytes, field, maxFileBytes(site.settings));
  if (!isAllowed(format, site.settings.allowedFileTypes)) throw new Invalid(pictureTexts.wrongType, field);
  const bytes = await refuseUnreadable(cropToJpeg(upload.bytes, avatarSizePx, avatarSizePx, 88), field);
  const name = optimizedName(upload.name);
  return storeFile(site, viewer, { name, type: "image/jpeg", bytes, width: avatarSizePx, height: avatarSizePx, field });
}

/** The setting lists file endings, by default without WebP: it is allowed if all other pictures are. */
function isAllowed(format: PictureFormat, allowed: readonly string[]): boolean {
  if (allowed.includes(format)) return true;
  const allowsJpeg = allowed.includes("jpg") || allowed.includes("jpeg");
  if (format === "jpeg") return allowsJpeg;
  return format === "webp" && allowsJpeg && allowed.includes("png") && allowed.includes("gif");
}
