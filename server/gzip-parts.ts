import { constants, crc32, deflateRawSync } from "node:zlib";

/** A stretch of a page that never changes, compressed once. */
export type GzipPart = { plain: Buffer; deflated: Buffer };

/** `last` ends the stream. */
export function gzipPart(plain: Buffer, last: boolean): GzipPart {
  // Flushed, a part ends on a whole byte and refers to nothing before it.
  const deflated = deflateRawSync(plain, { finishFlush: last ? constants.Z_FINISH : constants.Z_FULL_FLUSH });
  return { plain: ownCopy(plain), deflated: ownCopy(deflated) };
}

/**
 * The same bytes in memory of their own. Small Buffers are pieces of 64 kB, of which zlib takes 16 for each answer: a few bytes
 * of a page would keep all of that.
 */
function ownCopy(bytes: Buffer): Buffer {
  return Buffer.from(Uint8Array.prototype.slice.call(bytes).buffer);
}

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** One gzip stream (RFC 1952) of the parts with a short piece between each two, which goes in as it is. */
export function joinGzip(parts: GzipPart[], piece: Buffer): Buffer {
  const stored = Buffer.concat([storedBlockOf(piece.length), piece]);
  const chunks: Buffer[] = [header];
  let sum = 0;
  let length = 0;
  for (const [index, { plain, deflated }] of parts.entries()) {
    if (index > 0) {
      chunks.push(stored);
      sum = crc32(piece, sum);
      length += piece.length;
    }
    chunks.push(deflated);
    sum = crc32(plain, sum);
    length += plain.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(sum, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return Buffer.concat([...chunks, trailer]);
}

/** The head of a deflate block that is not compressed (RFC 1951, 3.2.4). */
function storedBlockOf(length: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(length, 1);
  head.writeUInt16LE(~length & 0xffff, 3);
  return head;
}
