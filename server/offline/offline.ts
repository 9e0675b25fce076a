import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { readPost } from "#domain/posts/post-reads.server.ts";
import { refuseDuringMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { answerInText, type Web } from "#server/http.ts";
import { offlinePage, offlinePolicy, storyPage } from "./offline-page.ts";

/** It may ask this site and nothing else, and run nothing that it gets. */
const workerPolicy = "default-src 'none'; connect-src 'self'";

/** What devices keep for when there is no connection (docs/decisions/0041-push.md): nothing of it depends on who asks. */
export function offlineRoutes(site: Site): Hono<Web> {
  const routes = new Hono<Web>();
  const { settings } = site;
  routes.get("/offline", (c) => answer(c, offlinePage(settings.siteName)));
  routes.get("/offline/:slug", async (c) => {
    refuseDuringMaintenance(site, null);
    return answer(c, storyPage(settings.siteName, await readPost(site, null, c.req.param("slug"))));
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
  routes.onError(answerInText(site, "a story for devices could not be written"));
  return routes;
}

function answer(c: Context<Web>, html: string): Response {
  return c.html(html, 200, { "cache-control": "no-cache", "content-security-policy": offlinePolicy, "x-robots-tag": "noindex" });
}
