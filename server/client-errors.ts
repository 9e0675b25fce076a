import { Hono } from "hono";
import { reportBrowserFault } from "#domain/faults/browser-fault.server.ts";
import { browserFaultsPath } from "#domain/faults/fault.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import type { Web } from "./http.ts";

/** Errors of the site's own scripts, as browsers send them: app/faults/report-faults.ts. */
export function clientErrorRoutes(site: Site, patternOf: (path: string) => string): Hono<Web> {
  const routes = new Hono<Web>();
  routes.post(browserFaultsPath, async (c) => {
    try {
      const given: unknown = await c.req.json().catch(() => undefined);
      await reportBrowserFault(site, given, { requestId: c.get("requestId"), patternOf });
      return c.body(null, 204);
    } catch (error) {
      if (isRefusal(error)) return c.body(null, statusOf(error) as 422);
      // An outage: nobody waits for this answer, and it must not be reported in its turn.
      site.log.warn({ err: error }, "a browser's error was not noted");
      return c.body(null, 503);
    }
  });
  return routes;
}
