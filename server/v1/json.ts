import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { encodingFor } from "#platform/encoding.ts";
import { parseJson } from "#platform/json.ts";

/** Checking a value of a schema costs about 10 µs each. */
export const maxValues = 5_000;

/**
 * Undefined for invalid JSON, for nesting beyond `levels`, which would recurse as deep when written or compared, and for more than
 * `maxValues` values.
 */
export function parseBoundedJson(text: string, levels: number): unknown {
  return isBounded(text, levels) ? parseJson(text) : undefined;
}

function isBounded(text: string, levels: number): boolean {
  let [level, values, isInText] = [0, 1, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isInText = !isInText;
    else if (isInText) at += code === backslash ? 1 : 0;
    else if (code === openBrace || code === openBracket) level++;
    else if (code === closeBrace || code === closeBracket) level--;
    else if (code === comma) values++;
    if (level > levels || values > maxValues) return false;
  }
  return true;
}

const [quote, comma, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x2c, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

const compressors = {
  gzip: promisify(gzip),
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** JSON as it is sent. */
export class JsonBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #compressed = new Map<string, Promise<Buffer<ArrayBuffer>>>();

  constructor(json: string) {
    // No Buffer: a small one is part of a large one, which a cache would keep.
    this.bytes = new TextEncoder().encode(json);
  }

  compressed(encoding: keyof typeof compressors): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#compressed.get(encoding) ?? compressors[encoding](this.bytes);
    this.#compressed.set(encoding, known);
    return known;
  }
}

const minCompressedBytes = 1024;

/** Compresses if the client accepts it, and sets the headers of the content. */
export async function encodeJson(
  result: object,
  accepted: string | undefined,
  headers: Record<string, string>,
): Promise<Uint8Array<ArrayBuffer>> {
  const json = result instanceof JsonBytes ? result : new JsonBytes(JSON.stringify(result));
  headers["content-type"] = "application/json";
  const encoding = encodingFor(accepted);
  if (encoding === "identity" || json.bytes.length < minCompressedBytes) return json.bytes;
  headers["content-encoding"] = encoding;
  headers.vary = `${headers.vary}, accept-encoding`;
  return json.compressed(encoding);
}

export function isoDate(time: number | string | Date): string {
  return `${new Date(time).toISOString().slice(0, -1)}+00:00`;
}
