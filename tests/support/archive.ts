import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { unzipSync } from "fflate";

/** The program that tested a ZIP. */
type Unzipper = "unzip" | "fflate";

/**
 * Tests a ZIP with `unzip`, or without it with a library other than the one that wrote it, comparing every checksum. @throws Error for a
 * damaged ZIP.
 */
export async function tryZip(path: string, bytes: Uint8Array): Promise<Unzipper> {
  try {
    const { stdout } = await promisify(execFile)("unzip", ["-t", path], { maxBuffer: 10_000_000 });
    if (!stdout.includes("No errors detected")) throw new Error(stdout);
    return "unzip";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    compareChecksums(bytes);
    return "fflate";
  }
}

const entrySignature = 0x02014b50;

/** Reads the archive's directory at its end. */
export function compareChecksums(bytes: Uint8Array): void {
  const files = unzipSync(bytes);
  const view = Buffer.from(bytes);
  const end = view.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = view.readUInt32LE(end + 16);
  let count = 0;
  while (view.readUInt32LE(at) === entrySignature) {
    const [name, extra, comment] = [28, 30, 32].map((place) => view.readUInt16LE(at + place)) as [number, number, number];
    const path = view.toString("utf8", at + 46, at + 46 + name);
    const content = files[path];
    if (!content || crc32(content) !== view.readUInt32LE(at + 16)) throw new Error(`${path} is damaged`);
    count++;
    at += 46 + name + extra + comment;
  }
  if (count === 0 || count !== Object.keys(files).length) throw new Error("The archive's directory is incomplete");
}
