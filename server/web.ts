import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { defaultApi } from "#platform/config.ts";
import { fileRoutes } from "#server/files/files.ts";
import { iconPath, refuseAsPicture } from "#server/files/picture-requests.ts";
import { openPages } from "#server/pages/pages.ts";
import { cachedPageSender, type SendCached } from "#server/pages/send-cached.ts";
import { browserErrorRoutes } from "./browser-errors.ts";
import { feedRoutes } from "./feeds.ts";
import { healthRoutes } from "./health.ts";
import type { Web, WebConfig } from "./http.ts";
import { SharedTokenBuckets } from "./limits/buckets.ts";
import { refuse } from "./limits/refuse.ts";
import { createRequestLimiter, type RequestLimiter } from "./limits/request-limiter.ts";
import { manifestRoutes } from "./manifest.ts";
import { metricsRoutes } from "./metrics/serve-metrics.ts";
import { commonHeaders, observeRequests, refuseOtherOrigins } from "./middleware.ts";
import { offlineRoutes } from "./offline/offline.ts";
import { requestIds } from "./request-ids.ts";
import { pagePaths, routePatterns } from "./route-patterns.ts";
import { apiRoutes } from "./v1/api.ts";
import { hasCredentials, hasSessionCookie } from "./v1/caller.ts";

const year = "public, max-age=31536000, immutable";

export function createWeb(parts: WebConfig): Hono<Web> {
  return openRoutes(parts).web;
}

/** Try `sendCached` before the routes. */
export function openRoutes({ site, dev, proxies = [], api = defaultApi, cachePages = false, metrics, metricsToken, ...parts }: WebConfig): {
  web: Hono<Web>;
  sendCached: SendCached;
  patternOf: (path: string) => string;
  countUpgrade: RequestLimiter["countUpgrade"];
} {
  const web = new Hono<Web>();
  const patterns = routePatterns();
  const patternOf = patterns.of;
  const build = async () => {
    const pages = await parts.build();
    patterns.add(pagePaths(pages));
    return pages;
  };
  const sendsCredentials = (c: Context<Web>) => {
    const header = (name: string) => c.req.header(name);
    // Pages ignore API credentials, so an invented key must not raise their limits.
    return c.req.path.startsWith("/v1/") ? hasCredentials(site, api, header) : hasSessionCookie(site, header);
  };
  const counts = new SharedTokenBuckets({
    broadcasts: site.events.broadcasts,
    hasOtherProcesses: () => site.presence.hasOtherProcesses,
    now: site.now,
  });
  const limiter = createRequestLimiter({ ...parts, proxies, now: site.now, counts, hasCredentials: sendsCredentials });
  const idOf = requestIds(proxies);
  web.use(observeRequests(site, { idOf, metrics, patternOf }));
  web.use(refuseAsPicture(site));
  // Before the common headers and compression, which cost more than most of its responses: it sets its own.
  web.route("/v1", apiRoutes({ site, config: api, proxies, limiter }));
  web.use(commonHeaders(site));
  web.route("/", healthRoutes(site));
  web.use(limiter.check(refuse));
  if (metrics && metricsToken) web.route("/", metricsRoutes(metrics, metricsToken));
  web.use(refuseOtherOrigins(site));
  web.route("/files", fileRoutes(site, proxies));
  web.route("/", browserErrorRoutes(site, patternOf));
  web.use(compress());
  web.route("/", feedRoutes(site));
  web.route("/", manifestRoutes(site));
  web.route("/", offlineRoutes(site));
  if (!dev) {
    web.use(
      "/assets/*",
      serveStatic({ root: "./build/client", precompressed: true, onFound: (_path, c) => c.header("cache-control", year) }),
    );
    web.all("/assets/*", (c) => c.text("Not found", 404));
    const icons = serveStatic({ root: "./build/client" });
    // Not as a pattern in the path, with which Hono would search all routes one by one for each request.
    web.use((c, next) => (iconPath.test(c.req.path) ? icons(c, next) : next()));
  }
  const { routes, cache } = openPages({ site, build, dev, proxies, cachePages, limiter });
  web.route("/", routes);
  patterns.add(web.routes.filter(({ method }) => method !== "ALL").map(({ path }) => path.replaceAll(/\{.*\}/g, "")));
  patterns.add(["/assets/*"]);
  const sendCached = cache ? cachedPageSender({ site, cache, limiter, idOf, metrics, patternOf }) : () => false;
  return { web, sendCached, patternOf, countUpgrade: limiter.countUpgrade };
}
