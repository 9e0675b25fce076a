import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "#platform/encoding.ts";
import { contentSecurityPolicy, scriptHashes } from "./content-policy.ts";

const [toGzip, toBrotli] = [promisify(gzip), promisify(brotliCompress)];

/** `headers` are alternating names and values, as `writeHead` takes them. */
export type EncodedResponse = { headers: string[]; body: Buffer };

export type PageResponses = {
  encodings: Record<Encoding, EncodedResponse>;
  /** Headers of a 304. Without a content policy, since the browser's copy of the page has its own. */
  unchanged: string[];
  etag: string;
  bytes: number;
};

const brotliQuality = 5;

/** @param commonHeaders - of every response of the site. @throws TypeError for a page that isn't UTF-8. */
export async function encodePage(
  response: Response,
  nonce: string,
  commonHeaders: [name: string, value: string][],
): Promise<PageResponses> {
  const html = await response.text();
  const body = copyBytes(Buffer.from(html));
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const [gzipped, brotli] = await Promise.all([toGzip(body), toBrotli(body, { params })]);
  const etag = createHash("sha256").update(html.replaceAll(nonce, "")).digest("base64url").slice(0, 22);
  const headers = new Headers(response.headers);
  for (const [name, value] of commonHeaders) headers.set(name, value);
  // Weak: each rendering has another nonce.
  headers.set("etag", `W/"${etag}"`);
  headers.set("vary", "Cookie, Accept-Encoding");
  headers.delete("content-security-policy");
  const unchanged = [...headers].flat();
  headers.set("content-security-policy", contentSecurityPolicy({ nonce, scripts: scriptHashes(html, nonce) }));
  const withHeaders = (encoding: Encoding, bytes: Buffer): EncodedResponse => {
    const encodingHeader = encoding === "identity" ? [] : ["content-encoding", encoding];
    return { body: bytes, headers: [...[...headers].flat(), ...encodingHeader, "content-length", String(bytes.length)] };
  };
  return {
    encodings: {
      identity: withHeaders("identity", body),
      gzip: withHeaders("gzip", copyBytes(gzipped)),
      br: withHeaders("br", copyBytes(brotli)),
    },
    unchanged,
    etag,
    bytes: body.length + gzipped.length + brotli.length,
  };
}

/** Copies out of Node's shared buffer pool, which a small part would keep in memory. */
function copyBytes(bytes: Uint8Array): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer);
}
