import { fileTypeFromBuffer } from "file-type";
import type { Upload } from "../files/files.server.ts";

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** What may be sent (specification §5), by the type that the bytes show, with the endings that its names have. */
const accepted: Record<string, string[]> = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png"],
  "image/apng": ["png", "apng"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "image/avif": ["avif"],
  "image/heic": ["heic", "heif"],
  "image/bmp": ["bmp"],
  "image/tiff": ["tif", "tiff"],
  "application/pdf": ["pdf"],
  "application/msword": ["doc"],
  [docx]: ["docx"],
  "application/zip": ["zip"],
  "application/x-rar-compressed": ["rar"],
  "text/plain": ["txt"],
};

/**
 * What a file really is, and the name to keep it under: its own, with an ending that fits the bytes. Undefined for what is
 * not sent. Plain text shows nothing by which to tell it from a script or a page, so there the name has to say so too.
 */
export async function typeOfAttachment({ name, bytes }: Upload): Promise<{ name: string; type: string } | undefined> {
  const kept = plainName(name);
  const type = await typeOfBytes(bytes, endingOf(kept));
  const endings = type ? accepted[type] : undefined;
  if (!type || !endings) return undefined;
  return { type, name: endings.includes(endingOf(kept)) ? kept : `${kept}.${endings[0]}` };
}

async function typeOfBytes(bytes: Uint8Array, ending: string): Promise<string | undefined> {
  const mime = (await fileTypeFromBuffer(bytes))?.mime.split(";")[0];
  if (mime === "application/x-cfb") return isWord(bytes) ? "application/msword" : undefined;
  if (mime && mime in accepted) return mime;
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

function endingOf(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Without folders, and without the marks that make a name read otherwise than it is. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  const plain = last.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  return plain.slice(-180) || "file";
}
