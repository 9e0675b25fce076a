import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { createRequestHandler, type RequestHandler, RouterContextProvider } from "react-router";
import { nonceContext, originContext, siteContext, viewerContext } from "#app/context.ts";
import { translateRefusals } from "#app/shell/refusals.ts";
import { sessionCookieName } from "#domain/accounts/auth.server.ts";
import { clientAddressReader } from "./client-address.ts";
import { identify } from "./session.ts";
import type { Web, WebParts } from "./web.ts";

/** Everything that is a page or the data of one: React Router's handler, told who asks. */
export function pageDoor({ site, build, dev, proxies }: WebParts): Hono<Web> {
  const door = new Hono<Web>();
  const clientAddress = clientAddressReader(proxies);
  const handler = pageHandler({ site, build, dev });

  door.all("*", async (c) => {
    const nonce = dev ? "" : randomBytes(16).toString("base64");
    const cookie = c.req.header("cookie") ?? null;
    const { viewer, renewed } = await identify(site, cookie);
    const context = new RouterContextProvider();
    context.set(siteContext, site);
    context.set(viewerContext, viewer);
    context.set(originContext, {
      address: c.env?.incoming ? clientAddress(c.env.incoming) : "unknown",
      userAgent: c.req.header("user-agent") ?? null,
    });
    context.set(nonceContext, nonce);
    const handle = await handler();
    const response = await handle(c.req.raw, context);
    const signsInOrOut = response.headers.getSetCookie().some((each) => each.startsWith(sessionCookieName(site.url)));
    if (!signsInOrOut) for (const each of renewed) response.headers.append("set-cookie", each);
    if (response.headers.get("content-type")?.startsWith("text/html"))
      response.headers.set("content-security-policy", contentSecurityPolicy(nonce, dev));
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-cache");
    return response;
  });
  return door;
}

/** In production the pages are read once; in development they may change from one request to the next. */
function pageHandler({ site, build, dev }: Omit<WebParts, "proxies">): () => Promise<RequestHandler> {
  // React Router compares Origin with the address the request came in by, which behind a TLS proxy begins with http.
  const allowedActionOrigins = [new URL(site.url).host];
  const prepared = async () => translateRefusals({ ...(await build()), allowedActionOrigins });
  if (dev) return async () => createRequestHandler(prepared, "development");
  let kept: Promise<RequestHandler> | undefined;
  return () => {
    kept ??= prepared().then((pages) => createRequestHandler(pages, "production"));
    return kept;
  };
}

function contentSecurityPolicy(nonce: string, dev: boolean): string {
  const own = dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'self'",
    `script-src ${own}`,
    `style-src ${own}`,
    // style={{…}} in server-rendered HTML.
    "style-src-attr 'unsafe-inline'",
    // Stories may show pictures from elsewhere.
    "img-src 'self' data: blob: https:",
    dev ? "connect-src 'self' ws:" : "connect-src 'self'",
    dev ? "worker-src 'self' blob:" : "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
