import { fileTypeFromBuffer } from "file-type";
import type { Upload } from "../files/files.server.ts";
import { attachmentTypes, extensionOf } from "./message.ts";

/**
 * A file's type by its bytes, and its name with a matching ending. Undefined for types that can't be sent. Plain text has no signature that
 * tells it from a script or a page, so its name must end in .txt.
 */
export async function typeOfAttachment({ name, bytes }: Upload): Promise<{ name: string; type: string } | undefined> {
  const safeName = plainName(name);
  const type = await typeOfBytes(bytes, extensionOf(safeName));
  const endings = type ? attachmentTypes[type] : undefined;
  if (!type || !endings) return undefined;
  return { type, name: endings.includes(extensionOf(safeName)) ? safeName : `${safeName}.${endings[0]}` };
}

async function typeOfBytes(bytes: Uint8Array, ending: string): Promise<string | undefined> {
  const mime = (await fileTypeFromBuffer(bytes))?.mime.split(";")[0];
  if (mime === "application/x-cfb") return isWord(bytes) ? "application/msword" : undefined;
  if (mime && mime in attachmentTypes) return mime;
  return ending === "txt" && isText(bytes) ? "text/plain" : undefined;
}

function isWord(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(Buffer.from("WordDocument", "utf16le"));
}

const utf16Marks = ["fffe", "feff"];

/** Without control characters, or with the byte order mark of UTF-16. */
function isText(bytes: Uint8Array): boolean {
  if (utf16Marks.includes(Buffer.from(bytes.subarray(0, 2)).toString("hex"))) return true;
  return bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b);
}

/** Without folders, and without marks that reverse the writing direction, which could disguise an ending. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
  const plain = last.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  return plain.slice(-180) || "file";
}
