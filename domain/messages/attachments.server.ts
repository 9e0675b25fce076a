import { PictureTimeout, readPicture, UnreadablePicture, withoutMetadata } from "#platform/files/images.ts";
import { countUploaded, discardFile, type NewFile, storeFile, type Upload } from "../files/files.server.ts";
import { pictureTexts } from "../files/picture.ts";
import { requirePermission } from "../permissions.ts";
import { Invalid, TooLarge, Unavailable } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { typeOfAttachment } from "./attachment-type.server.ts";
import { attachmentMaxBytes, messageMaxLength, messageTexts, type SentMessage } from "./message.ts";
import { queueSend, requireMessageable } from "./messages.server.ts";

export type NewAttachment = { to: string; sendId: string; upload: Upload; text?: string };

/**
 * Sends a picture, PDF, Word, plain text, ZIP or RAR file of at most 10 MB (messaging and administration §5). The message's text defaults
 * to the file's name. @throws TooLarge, Invalid for another type, and as `sendMessage`.
 */
export async function sendAttachment(site: Site, viewer: Viewer, { to, sendId, upload, text = "" }: NewAttachment): Promise<SentMessage> {
  requirePermission(viewer, "send a message");
  await requireMessageable(site, viewer, to);
  const caption = text.trim();
  if (caption.length > messageMaxLength) throw new Invalid(messageTexts.tooLong);
  const { bytes } = upload;
  if (bytes.byteLength > attachmentMaxBytes) throw new TooLarge(messageTexts.fileTooLarge);
  if (bytes.byteLength === 0) throw new Invalid(messageTexts.emptyFile);
  await countUploaded(site, viewer, bytes.byteLength);
  const detected = await typeOfAttachment(upload);
  if (!detected) throw new Invalid(messageTexts.wrongType);
  const file = await storeFile(site, viewer, { ...detected, ...(await stripMetadata(bytes, detected.type)) });
  try {
    return await queueSend(site, viewer, { to, message: caption || file.name, sendId, fileId: file.id });
  } finally {
    // Only if refused or a retry, whose message has the first file.
    await discardFile(site, file.id);
  }
}

/** Removes metadata. Pictures that can't be decoded are sent unchanged, without width and height. @throws Unavailable on a busy machine. */
async function stripMetadata(bytes: Uint8Array, type: string): Promise<Pick<NewFile, "bytes" | "width" | "height">> {
  const unchanged = { bytes, width: null, height: null };
  if (!type.startsWith("image/")) return unchanged;
  try {
    const picture = await readPicture(bytes);
    // An animated PNG is read as a still one and would lose its animation.
    const isAnimatedPng = type === "image/apng";
    return { bytes: isAnimatedPng ? bytes : await withoutMetadata(bytes, picture), width: picture.width, height: picture.height };
  } catch (error) {
    if (error instanceof PictureTimeout) throw new Unavailable(pictureTexts.notStored);
    if (error instanceof UnreadablePicture) return unchanged;
    throw error;
  }
}
