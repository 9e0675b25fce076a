import { cropToJpeg } from "#platform/files/images.ts";
import { maxFileBytes } from "../settings/settings.ts";
import type { Member, Site } from "../site.ts";
import { acceptPicture, type StoredFile, storeFile, type Upload } from "./files.server.ts";
import { optimizedName } from "./picture.ts";
import { countSent } from "./storage.server.ts";

/** Pixels on each side. */
const avatarSize = 400;
const field = "profileImage";

/** The most that a profile picture may have, in units of 1024 x 1024 bytes. */
export function avatarMegabytes({ settings }: Site): number {
  return settings.maxFileSize;
}

/**
 * Checks and keeps a profile picture, cut square and without metadata. @throws Invalid when it is no picture by its bytes, or larger than
 * `avatarMegabytes`. Unavailable when it can't be stored; TooMany beyond an hour's bytes.
 */
export async function storeAvatar(site: Site, viewer: Member, upload: Upload): Promise<StoredFile> {
  await countSent(site, viewer, upload.bytes.byteLength);
  await acceptPicture(upload.bytes, field, maxFileBytes(site.settings));
  const bytes = await cropToJpeg(upload.bytes, avatarSize, avatarSize, 88);
  const name = optimizedName(upload.name);
  return storeFile(site, viewer, { name, type: "image/jpeg", bytes, width: avatarSize, height: avatarSize, field });
}
