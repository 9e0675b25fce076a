import { Hono } from "hono";
import { paperColors } from "#app/shell/theme/theme.ts";
import type { Site } from "#domain/site.ts";
import type { Web } from "./http.ts";

/** W3C Web Application Manifest. Also during maintenance: it shows no more than the maintenance page. */
export function manifestRoutes(site: Site): Hono<Web> {
  const routes = new Hono<Web>();
  routes.get("/manifest.webmanifest", (c) =>
    c.body(JSON.stringify(manifestOf(site)), 200, {
      "content-type": "application/manifest+json; charset=utf-8",
      "cache-control": "public, max-age=3600",
    }),
  );
  return routes;
}

function manifestOf({ settings: { siteName, siteDescription } }: Site) {
  return {
    id: "/",
    name: siteName,
    short_name: siteName,
    description: siteDescription,
    lang: "en",
    start_url: "/",
    scope: "/",
    display: "standalone",
    // One color for both themes; pages set their own (app/root.tsx).
    background_color: paperColors.light,
    theme_color: paperColors.light,
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
