import { constants, crc32, deflateRawSync, type ZlibOptions } from "node:zlib";
import type { HtmlPart } from "#app/context.ts";

/** RFC 1952: deflate, no name, no time, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** Empty, with fixed codes (RFC 1951, 3.2.6). */
const lastBlock = Buffer.from([3, 0]);
/** Smaller parts are stored: a call of zlib takes longer than sending their bytes. */
const smallestDeflated = 128;
/**
 * Takes 80 kB of memory. zlib's default of 270 kB costs more time, in page faults and cache misses, than compressing a small text, but
 * larger texts become smaller with it.
 */
const smallWindow: ZlibOptions = { windowBits: 13, memLevel: 6 };
const largestForSmallWindow = 16_384;

/** Compresses a part that many responses repeat. Parts don't refer to each other, so they fit together in any order. */
export function prepareGzip(text: Buffer): Required<HtmlPart> {
  return { text, deflated: deflate(text, 6) };
}

/** All parts as one gzip file. */
export function gzipParts(parts: HtmlPart[]): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(parts.reduce((checksum, { text }) => crc32(text, checksum), 0));
  trailer.writeUInt32LE(
    parts.reduce((sum, { text }) => sum + text.length, 0),
    4,
  );
  return Buffer.concat([header, ...parts.map(({ text, deflated }) => deflated ?? deflate(text, 1)), lastBlock, trailer]);
}

/** Blocks that end at a byte, none of them marked as the last. */
function deflate(text: Buffer, level: number): Buffer {
  if (text.length < smallestDeflated) return stored(text);
  const memory = text.length > largestForSmallWindow ? {} : smallWindow;
  return deflateRawSync(text, { ...memory, level, finishFlush: constants.Z_SYNC_FLUSH });
}

/** An uncompressed block (RFC 1951, 3.2.4). */
function stored(text: Buffer): Buffer {
  const { length } = text;
  return Buffer.concat([Buffer.from([0, length, 0, ~length, 0xff]), text]);
}
