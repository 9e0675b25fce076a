import { createMiddleware } from "hono/factory";
import type { Site } from "#domain/site.ts";
import type { Web } from "./web.ts";

/** One line per request: method, path, status and milliseconds; addresses and query texts stay out of the log. */
export function logRequests(site: Site) {
  return createMiddleware<Web>(async (c, next) => {
    const start = performance.now();
    await next();
    const quiet = c.req.path.startsWith("/assets/") || c.req.path === "/healthz";
    const line = { method: c.req.method, path: c.req.path, status: c.res.status, ms: Math.round(performance.now() - start) };
    if (c.res.status >= 500) site.log.error(line, "request");
    else if (!quiet) site.log.info(line, "request");
  });
}

/** What every answer carries, whatever it is. */
export function securityHeaderValues({ url }: Pick<Site, "url">): [name: string, value: string][] {
  const always: [string, string][] = [
    ["x-content-type-options", "nosniff"],
    // Not no-referrer: browsers would then send `Origin: null` with forms, which the pages refuse.
    ["referrer-policy", "strict-origin-when-cross-origin"],
    ["x-frame-options", "DENY"],
  ];
  return url.startsWith("https:") ? [...always, ["strict-transport-security", "max-age=31536000"]] : always;
}

export function securityHeaders(site: Site) {
  const headers = securityHeaderValues(site);
  return createMiddleware<Web>(async (c, next) => {
    await next();
    for (const [name, value] of headers) c.header(name, value);
  });
}
