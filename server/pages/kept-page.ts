import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "#platform/encoding.ts";
import { contentSecurityPolicy, scriptHashes } from "./content-policy.ts";

const [pack, packSmaller] = [promisify(gzip), promisify(brotliCompress)];

/** One answer as it is sent, again and again; headers as `writeHead` takes them, names and values in turn. */
export type EncodedPage = { headers: string[]; body: Buffer };

export type KeptPage = {
  answers: Record<Encoding, EncodedPage>;
  /** For who has it already. Without a policy: the browser goes on with the page it has and the policy that came with it. */
  unchanged: string[];
  etag: string;
  bytes: number;
};

const brotliQuality = 5;

/** `fixed` are headers that every answer of the site has. @throws TypeError for a page that isn't UTF-8. */
export async function finish(response: Response, nonce: string, fixed: [name: string, value: string][]): Promise<KeptPage> {
  const html = await response.text();
  const body = copyBytes(Buffer.from(html));
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const [zipped, smaller] = await Promise.all([pack(body), packSmaller(body, { params })]);
  const etag = createHash("sha256").update(html.replaceAll(nonce, "")).digest("base64url").slice(0, 22);
  const headers = new Headers(response.headers);
  for (const [name, value] of fixed) headers.set(name, value);
  // Weak, as the nonce differs from one rendering to the next.
  headers.set("etag", `W/"${etag}"`);
  headers.set("vary", "Cookie, Accept-Encoding");
  headers.delete("content-security-policy");
  const unchanged = [...headers].flat();
  headers.set("content-security-policy", contentSecurityPolicy({ nonce, scripts: scriptHashes(html, nonce) }));
  const answer = (encoding: Encoding, bytes: Buffer): EncodedPage => {
    const encoded = encoding === "identity" ? [] : ["content-encoding", encoding];
    return { body: bytes, headers: [...[...headers].flat(), ...encoded, "content-length", String(bytes.length)] };
  };
  return {
    answers: { identity: answer("identity", body), gzip: answer("gzip", copyBytes(zipped)), br: answer("br", copyBytes(smaller)) },
    unchanged,
    etag,
    bytes: body.length + zipped.length + smaller.length,
  };
}

/** In memory of its own: small buffers are parts of larger ones, which would be kept with them. */
function copyBytes(bytes: Uint8Array): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer);
}
