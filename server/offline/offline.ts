import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { readPost } from "#domain/posts/post-reads.server.ts";
import { refuseDuringMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { plainTextErrors, type Web } from "#server/http.ts";
import { offlinePage, offlinePolicy, postPage } from "./offline-page.ts";

/** The worker may only fetch from this site, and run nothing else. */
const workerPolicy = "default-src 'none'; connect-src 'self'";

/** What devices store for offline use (docs/decisions/0041-push.md); the same for all viewers. */
export function offlineRoutes(site: Site): Hono<Web> {
  const routes = new Hono<Web>();
  const { settings } = site;
  routes.get("/offline", (c) => respond(c, offlinePage(settings.siteName)));
  routes.get("/offline/:slug", async (c) => {
    refuseDuringMaintenance(site, null);
    return respond(c, postPage(settings.siteName, await readPost(site, null, c.req.param("slug"))));
  });
  routes.get(
    "/service-worker.js",
    (c, next) => {
      c.header("cache-control", "no-cache");
      c.header("content-security-policy", workerPolicy);
      return next();
    },
    serveStatic({ path: "./build/client/service-worker.js" }),
  );
  routes.onError(plainTextErrors(site, "an offline story could not be rendered"));
  return routes;
}

function respond(c: Context<Web>, html: string): Response {
  return c.html(html, 200, { "cache-control": "no-cache", "content-security-policy": offlinePolicy, "x-robots-tag": "noindex" });
}
