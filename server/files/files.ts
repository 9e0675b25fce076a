import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { streamFile } from "#domain/files/api-files.server.ts";
import { findReadableFile, type ReadableFile, readVariant } from "#domain/files/serve.server.ts";
import { isRefusal, NotFound } from "#domain/refusals.ts";
import { refuseDuringMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import type { VariantFormat } from "#platform/files/images.ts";
import { plainTextErrors, type Web } from "#server/http.ts";
import { clientIpReader } from "#server/limits/client-ip.ts";
import { findViewer, withNetwork } from "#server/session/session.ts";
import { type Content, contentOf, sendFile } from "./send-file.ts";

/** `/files/{id}` is the file, `/files/{id}/{width}.{format}` a resized picture. */
export function fileRoutes(site: Site, proxies: string[] = []): Hono<Web> {
  const clientIp = clientIpReader(proxies);
  const routes = new Hono<Web>();

  routes.get("/:id/:variant", async (c, next) => {
    const [, width, format] = /^(\d+)\.(avif|webp|jpeg)$/.exec(c.req.param("variant")) ?? [];
    if (!width) return next();
    const file = await findFile(c, c.req.param("id"));
    if (file.width === null) throw new NotFound();
    const read = async () => contentOf(await readVariant(site, file.id, Number(width), format as VariantFormat));
    return respond(c.req.raw, file, `image/${format}`, read);
  });

  routes.get("/:id", async (c) => {
    const file = await findFile(c, c.req.param("id"));
    return respond(c.req.raw, file, file.type, async () => ({ size: file.size, part: streamPart(file) }));
  });

  const asPlainText = plainTextErrors(site, "a file could not be served", "This file isn’t available right now");
  routes.onError((error, c) => {
    const mustVerify = isRefusal(error) && error.code === "reauthentication-required" && c.req.header("sec-fetch-mode") === "navigate";
    if (!mustVerify) return asPlainText(error, c);
    c.header("cache-control", "no-store");
    return c.redirect(`/admin/verify?then=${encodeURIComponent(c.req.path)}`);
  });

  async function findFile(c: Context<Web>, id: string) {
    const ip = c.env?.incoming ? clientIp(c.env.incoming) : "unknown";
    const viewer = withNetwork(ip, await findViewer(site, c.req.header("cookie") ?? null));
    refuseDuringMaintenance(site, viewer);
    return findReadableFile(site, viewer, id);
  }

  function streamPart(file: ReadableFile): Content["part"] {
    return async (start, end) => {
      const stream = await streamFile(site, file, start, end);
      return stream?.on("error", (error: NodeJS.ErrnoException) => {
        // ABORT_ERR: the client disconnected.
        if (error.code !== "ABORT_ERR") site.log.error({ err: error, fileId: file.id }, "a file could not be sent completely");
      });
    };
  }

  return routes;
}

/** A file never changes, so the ETag depends on its URL only. */
function respond(request: Request, file: ReadableFile, type: string, open: () => Promise<Content>): Promise<Response> {
  const headers = new Headers({
    etag: `"${createHash("sha256").update(request.url).digest("base64url").slice(0, 16)}"`,
    "content-type": type,
    // Shared caches ask again after an hour, so that pictures of hidden stories don't stay public.
    "cache-control": file.isPublic ? "public, max-age=31536000, s-maxage=3600, immutable" : "private, no-cache",
    "content-security-policy": "sandbox; default-src 'none'",
    // Feeds and link previews show public pictures on other sites.
    "cross-origin-resource-policy": file.isPublic ? "cross-origin" : "same-origin",
    "content-disposition": `${isDownload(request, file) ? "attachment" : "inline"}; filename*=UTF-8''${encodedName(file.name)}`,
  });
  return sendFile(request, headers, open);
}

/** Browsers display pictures only; other files, and `?download`, are saved. */
function isDownload(request: Request, { type }: ReadableFile): boolean {
  return !type.startsWith("image/") || new URL(request.url).searchParams.has("download");
}

/** RFC 8187: four more characters than encodeURIComponent escapes. */
export function encodedName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
