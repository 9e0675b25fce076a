import { createMiddleware } from "hono/factory";
import type { Site } from "#domain/site.ts";
import { isFilePath } from "#platform/markup/own-pictures.ts";
import type { Web } from "#server/http.ts";
import { securityHeaderValues } from "#server/middleware.ts";
import { requestIdHeader } from "#server/request-ids.ts";

export const iconPath = /^\/[\w-]+\.(?:png|svg)$/;

const mediaElements = new Set<string | undefined>(["image", "audio", "video", "track"]);

/** Whether an element of a page such as `<img>` sent the request, by its `Sec-Fetch-Dest`. */
export function isForMedia(destination: string | undefined): boolean {
  return mediaElements.has(destination);
}

/**
 * Refuses everything but files, icons and assets to elements such as `<img>`: a text could make its readers' browsers open other addresses
 * with their sessions. Uncounted, as it would use up the readers' limits.
 */
export function refuseAsPicture(site: Site) {
  const headers = { ...Object.fromEntries(securityHeaderValues(site)), "cache-control": "no-store" };
  return createMiddleware<Web>(async (c, next) => {
    const { path } = c.req;
    if (!isForMedia(c.req.header("sec-fetch-dest")) || isFilePath(path) || path.startsWith("/assets/") || iconPath.test(path))
      return next();
    return c.text("Not found", 404, { ...headers, [requestIdHeader]: c.get("requestId") });
  });
}
