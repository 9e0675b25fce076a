import { Hono } from "hono";
import { reportBrowserError } from "#domain/errors/browser-errors.server.ts";
import { browserErrorsPath } from "#domain/errors/tracked-error.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import type { Web } from "./http.ts";

/** Receives what app/errors/report-errors.ts sends. */
export function browserErrorRoutes(site: Site, patternOf: (path: string) => string): Hono<Web> {
  const routes = new Hono<Web>();
  routes.post(browserErrorsPath, async (c) => {
    try {
      const given: unknown = await c.req.json().catch(() => undefined);
      await reportBrowserError(site, given, { requestId: c.get("requestId"), patternOf });
      return c.body(null, 204);
    } catch (error) {
      if (isRefusal(error)) return c.body(null, statusOf(error) as 422);
      // Logged as a warning: an error would be tracked in turn.
      site.log.warn({ err: error }, "a browser error was not recorded");
      return c.body(null, 503);
    }
  });
  return routes;
}
