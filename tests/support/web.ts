import { existsSync } from "node:fs";
import type { Hono } from "hono";
import type { ServerBuild } from "react-router";
import type { Web, WebConfig } from "#server/http.ts";
import { createWeb } from "#server/web.ts";
import type { World } from "./world.ts";

const pages = new URL("../../build/server/index.js", import.meta.url);

type WebOptions = Partial<Pick<WebConfig, "cachePages" | "limitFactor" | "isOverloaded">>;

/** The site's handlers without a port: `web.request("/login", { headers: { cookie } })`. Needs `npm run build` first. */
export function openWeb(
  { site }: Pick<World, "site">,
  { cachePages = false, limitFactor = 1000, isOverloaded }: WebOptions = {},
): Hono<Web> {
  if (!existsSync(pages)) throw new Error("The pages are not built: run `npm run build` first.");
  return createWeb({
    site,
    build: async () => (await import(/* @vite-ignore */ pages.href)) as ServerBuild,
    dev: false,
    cachePages,
    limitFactor,
    isOverloaded,
  });
}

/** A form as a browser without JavaScript posts it. */
export function formPost(fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", body: new URLSearchParams(fields), headers: { origin: "http://inkstead.test", ...headers } };
}
