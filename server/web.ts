import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { ServerBuild } from "react-router";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import { feedDoor } from "./feeds.ts";
import { fileDoor } from "./files.ts";
import { healthDoor } from "./health.ts";
import { logRequests, securityHeaders } from "./middleware.ts";
import { pageDoor } from "./pages.ts";
import { apiDoor } from "./v1/door.ts";

export type Web = { Bindings: HttpBindings };
export type WebParts = {
  site: Site;
  build: () => Promise<ServerBuild>;
  dev: boolean;
  /** Proxies on other machines, whose word on who asks is believed. */
  proxies?: string[];
  /** By which ids clients of the public API know the site. */
  api?: ApiConfig;
  /** Whole pages for visitors are kept as long as nothing changes. */
  keepPages?: boolean;
};

const year = "public, max-age=31536000, immutable";

/** Every door of the process, in the order in which a request meets them. */
export function createWeb({ site, build, dev, proxies = [], api, keepPages = false }: WebParts): Hono<Web> {
  const web = new Hono<Web>();
  web.use(logRequests(site));
  // Sets these headers by itself, and compresses: to change an answer that is made costs more than to make most of its.
  web.route("/v1", apiDoor({ site, config: api, proxies }));
  web.use(securityHeaders(site));
  web.route("/", healthDoor(site));
  web.route("/files", fileDoor(site));
  web.use(compress());
  web.route("/", feedDoor(site));
  if (!dev) {
    web.use("/assets/*", serveStatic({ root: "./build/client", onFound: (_path, c) => c.header("cache-control", year) }));
    web.all("/assets/*", (c) => c.text("Not found", 404));
    web.use("*", serveStatic({ root: "./build/client" }));
  }
  web.route("/", pageDoor({ site, build, dev, proxies, keepPages }));
  return web;
}
