import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { defaultApi } from "#platform/config.ts";
import { fileRoutes } from "#server/files/files.ts";
import { openPages } from "#server/pages/pages.ts";
import { keptPageSender, type SendKept } from "#server/pages/send-kept.ts";
import { feedRoutes } from "./feeds.ts";
import { healthRoutes } from "./health.ts";
import type { Web, WebParts } from "./http.ts";
import { openGate } from "./limits/gate.ts";
import { refuse } from "./limits/refuse.ts";
import { SharedCounts } from "./limits/shared-counts.ts";
import { logRequests, refuseOtherOrigins, securityHeaders } from "./middleware.ts";
import { apiRoutes } from "./v1/routes.ts";
import { bringsCookie, bringsSession } from "./v1/sessions.ts";

const year = "public, max-age=31536000, immutable";

export function createWeb(parts: WebParts): Hono<Web> {
  return openRoutes(parts).web;
}

/** `sendKept` goes before the routes. */
export function openRoutes({ site, build, dev, proxies = [], api = defaultApi, keepPages = false, ...load }: WebParts): {
  web: Hono<Web>;
  sendKept: SendKept;
} {
  const web = new Hono<Web>();
  const showsSession = (c: Context<Web>) => {
    const header = (name: string) => c.req.header(name);
    // What programs show, pages don't look at: a key that someone made up must not let them send more there.
    return c.req.path.startsWith("/v1/") ? bringsSession(site, api, header) : bringsCookie(site, header);
  };
  const counts = new SharedCounts({
    broadcasts: site.events.broadcasts,
    hasOtherProcesses: () => site.presence.hasOtherProcesses,
    now: site.now,
  });
  const gate = openGate({ ...load, proxies, now: site.now, counts, bringsSession: showsSession });
  web.use(logRequests(site));
  // Sets these headers by itself, and compresses: to change an answer that is made costs more than to make most of its.
  web.route("/v1", apiRoutes({ site, config: api, proxies, gate }));
  web.use(securityHeaders(site));
  web.route("/", healthRoutes(site));
  web.use(gate.check(refuse));
  web.use(refuseOtherOrigins(site));
  web.route("/files", fileRoutes(site, proxies));
  web.use(compress());
  web.route("/", feedRoutes(site));
  if (!dev) {
    web.use(
      "/assets/*",
      serveStatic({ root: "./build/client", precompressed: true, onFound: (_path, c) => c.header("cache-control", year) }),
    );
    web.all("/assets/*", (c) => c.text("Not found", 404));
    // No page has such a name: to look for a file under each page's address would be a question to the disk for every page.
    web.use("/:file{[\\w-]+\\.(?:png|svg)}", serveStatic({ root: "./build/client" }));
  }
  const { routes, cache } = openPages({ site, build, dev, proxies, keepPages, gate });
  web.route("/", routes);
  return { web, sendKept: cache ? keptPageSender({ site, cache, gate }) : () => false };
}
