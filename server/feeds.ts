import { type Context, Hono } from "hono";
import { authorFeed, type Feed, siteFeed } from "#domain/feeds/feeds.server.ts";
import { securityTxt } from "#domain/feeds/security-txt.ts";
import { robotsTxt, sitemapIndex, sitemapOfPages, sitemapOfPosts } from "#domain/feeds/sitemap.server.ts";
import { refuseDuringMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { matchesEtag } from "#server/files/ranges.ts";
import { plainTextErrors, type Web } from "./http.ts";

const hourlyCache = "public, max-age=3600";

export function feedRoutes(site: Site): Hono<Web> {
  const routes = new Hono<Web>();
  const read = <Result>(work: () => Result): Result => {
    refuseDuringMaintenance(site, null);
    return work();
  };
  routes.get("/feed.xml", async (c) => sendFeed(c, await read(() => siteFeed(site))));
  routes.get("/profile/:userId/feed.xml", async (c) => sendFeed(c, await read(() => authorFeed(site, c.req.param("userId")))));

  const sitemap = (c: Context<Web>, body: string) =>
    c.body(body, 200, { "content-type": "application/xml; charset=utf-8", "cache-control": hourlyCache });
  routes.get("/sitemap.xml", async (c) => sitemap(c, await read(() => sitemapIndex(site))));
  routes.get("/sitemap/:page", async (c, next) => {
    const [page, number] = /^(?:pages|stories-(\d{1,12}))\.xml$/.exec(c.req.param("page")) ?? [];
    if (!page) return next();
    return sitemap(c, await read(() => (number ? sitemapOfPosts(site, Number(number)) : sitemapOfPages(site))));
  });
  // Also during maintenance, which a vulnerability may have caused.
  routes.get("/.well-known/security.txt", (c) => {
    const text = securityTxt(site);
    return text === undefined ? c.text("Not found", 404) : c.text(text, 200, { "cache-control": hourlyCache });
  });
  routes.get("/robots.txt", (c) => c.text(robotsTxt(site), 200, { "cache-control": hourlyCache }));

  routes.onError(plainTextErrors(site, "a feed could not be written"));
  return routes;
}

/** Conditional requests: RFC 9110, section 13. */
async function sendFeed(c: Context<Web>, { version, modifiedAt, write }: Feed): Promise<Response> {
  const headers = new Headers({
    // Weak: compression changes the bytes.
    etag: `W/"${version}"`,
    "cache-control": "public, max-age=60",
    "content-type": "application/rss+xml; charset=utf-8",
  });
  if (modifiedAt > 0) headers.set("last-modified", new Date(modifiedAt).toUTCString());
  return isUnchanged(c.req.raw.headers, version, modifiedAt)
    ? new Response(null, { status: 304, headers })
    : new Response(await write(), { headers });
}

/** If-Modified-Since counts only without If-None-Match, in whole seconds. */
function isUnchanged(requested: Headers, version: string, modifiedAt: number): boolean {
  const etags = requested.get("if-none-match");
  if (etags !== null) return matchesEtag(etags, `"${version}"`);
  const since = Date.parse(requested.get("if-modified-since") ?? "");
  return modifiedAt > 0 && Math.floor(modifiedAt / 1000) * 1000 <= since;
}
