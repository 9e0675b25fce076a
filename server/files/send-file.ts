import { Readable } from "node:stream";
import { matchesEtag, parseRange } from "./ranges.ts";

/** `part`: both ends included; undefined if the file is gone. */
export type Content = { size: number; part(start: number, end: number): Promise<Readable | Uint8Array | undefined> };

export function contentOf(bytes: Uint8Array): Content {
  return { size: bytes.byteLength, part: async (start, end) => bytes.subarray(start, end + 1) };
}

export async function sendFile({ method, headers: requested }: Request, headers: Headers, open: () => Promise<Content>): Promise<Response> {
  const etag = headers.get("etag") ?? "";
  if (matchesEtag(requested.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const { size, part } = await open();
  const isSameVersion = [null, etag].includes(requested.get("if-range"));
  const range = method === "GET" && isSameVersion ? parseRange(requested.get("range"), size) : undefined;
  if (range === "unsatisfiable")
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${size}`, "cache-control": "no-store" } });

  const { start, end } = range ?? { start: 0, end: size - 1 };
  const isHead = method === "HEAD";
  const body = size === 0 ? new Uint8Array() : await part(start, isHead ? start : end);
  if (!body) return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
  headers.set("accept-ranges", "bytes");
  headers.set("content-length", String(end - start + 1));
  if (range) headers.set("content-range", `bytes ${start}-${end}/${size}`);
  return new Response(isHead ? discardBody(body) : bodyOf(body), { status: range ? 206 : 200, headers });
}

function discardBody(body: Readable | Uint8Array): null {
  if (body instanceof Readable) body.destroy();
  return null;
}

function bodyOf(body: Readable | Uint8Array) {
  return body instanceof Readable ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : new Uint8Array(body);
}
