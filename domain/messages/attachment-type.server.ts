import { fileTypeFromBuffer } from "file-type";
import type { Upload } from "../files/files.server.ts";
import { attachmentTypes, endingOf } from "./message.ts";

/**
 * What a file really is, and the name to keep it under: its own, with an ending that fits the bytes. Undefined for what is
 * not sent. Plain text shows nothing by which to tell it from a script or a page, so there the name has to say so too.
 */
export async function typeOfAttachment({ name, bytes }: Upload): Promise<{ name: string; type: string } | undefined> {
  const kept = plainName(name);
  const type = await typeOfBytes(bytes, endingOf(kept));
  const endings = type ? attachmentTypes[type] : undefined;
  if (!type || !endings) return undefined;
  return { type, name: endings.includes(endingOf(kept)) ? kept : `${kept}.${endings[0]}` };
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

const marked = ["fffe", "feff"];

/** No byte that texts don't have, in whatever alphabet; texts of two bytes a letter say so at their beginning. */
function isText(bytes: Uint8Array): boolean {
  if (marked.includes(Buffer.from(bytes.subarray(0, 2)).toString("hex"))) return true;
  return bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b);
}

/** Without folders, and without the marks that make a name read otherwise than it is. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  const plain = last.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  return plain.slice(-180) || "file";
}
