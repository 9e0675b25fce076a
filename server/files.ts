import { createHash } from "node:crypto";
import { Hono } from "hono";
import { originalKey } from "#domain/files/files.server.ts";
import { findReadableFile, type ReadableFile, readVariant } from "#domain/files/serve.server.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import type { VariantFormat } from "#platform/files/images.ts";
import { identify } from "./session.ts";
import type { Web } from "./web.ts";

/** `/files/{id}` is the file itself, `/files/{id}/{width}.{format}` a picture in the size and format a page asks for. */
export function fileDoor(site: Site): Hono<Web> {
  const door = new Hono<Web>();

  door.get("/:id/:variant{\\d+\\.(avif|webp|jpeg)}", async (c) => {
    const file = await readable(c.req.raw, c.req.param("id"));
    const [width, format] = c.req.param("variant").split(".") as [string, VariantFormat];
    return answer(c.req.raw, file, `image/${format}`, () => readVariant(site, file.id, Number(width), format));
  });

  door.get("/:id", async (c) => {
    const file = await readable(c.req.raw, c.req.param("id"));
    return answer(c.req.raw, file, file.type, () => site.files.get(originalKey(file.id)));
  });

  door.onError((error, c) => {
    if (isRefusal(error)) return c.text(error.message, statusOf(error) as 404);
    site.log.error({ err: error, path: c.req.path }, "a file could not be served");
    return c.text("This file can't be read at the moment", 500);
  });

  async function readable(request: Request, id: string) {
    const { viewer } = await identify(site, request.headers.get("cookie"));
    return findReadableFile(site, viewer, id);
  }

  return door;
}

/** A file never changes under its id, so its address is its version. */
async function answer(request: Request, file: ReadableFile, type: string, read: () => Promise<Buffer | undefined>): Promise<Response> {
  const etag = `"${createHash("sha256").update(request.url).digest("base64url").slice(0, 16)}"`;
  const headers = new Headers({
    etag,
    "content-type": type,
    "cache-control": file.isPublic ? "public, max-age=31536000, immutable" : "private, no-cache",
    "content-security-policy": "sandbox; default-src 'none'",
    "content-disposition": `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  });
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  const bytes = await read();
  if (!bytes) return new Response("Not found", { status: 404 });
  headers.set("content-length", String(bytes.byteLength));
  return new Response(new Uint8Array(bytes), { headers });
}
