import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { createRequestHandler, type RequestHandler, RouterContextProvider } from "react-router";
import {
  clientContext,
  closedContext,
  type HtmlPart,
  nonceContext,
  renderedHtmlContext,
  requestIdContext,
  retryAfterContext,
  siteContext,
  viewerContext,
} from "#app/context.ts";
import { gzipParts } from "#app/gzip.server.ts";
import { type ClosedSite, unavailable } from "#app/shell/closed.ts";
import { translateRefusals } from "#app/shell/refusals.ts";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import { reauthenticate } from "#domain/accounts/sign-in/reauthenticate.server.ts";
import { readFormAgain } from "#domain/forms/read-form.server.ts";
import { isUnderMaintenance } from "#domain/settings/maintenance.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { isOutage } from "#platform/database/errors.ts";
import { acceptsGzip } from "#platform/encoding.ts";
import { currentRequest } from "#platform/request-context.ts";
import type { Web, WebConfig } from "#server/http.ts";
import { clientIpReader } from "#server/limits/client-ip.ts";
import { refuse } from "#server/limits/refuse.ts";
import type { RequestLimiter } from "#server/limits/request-limiter.ts";
import { securityHeaderValues } from "#server/middleware.ts";
import { pathSegments } from "#server/path-segments.ts";
import { findAndRenewSession, withNetwork } from "#server/session/session.ts";
import { contentSecurityPolicy } from "./content-policy.ts";
import { PageCache, type RenderedPage } from "./page-cache.ts";
import { routeFamilies } from "./route-families.ts";

export function openPages({ site, build, dev, proxies, cachePages, limiter }: WebConfig & { limiter: RequestLimiter }): {
  routes: Hono<Web>;
  cache: PageCache | undefined;
} {
  const routes = new Hono<Web>();
  const clientIp = clientIpReader(proxies);
  const handler = pageHandler({ site, build, dev });
  const cache = cachePages ? new PageCache(site, renderPage) : undefined;
  const fixedHeaders = securityHeaderValues(site).flat();

  routes.all("*", async (c) => (cache ? cache.answer(c.req.raw, c) : (await renderPage(c.req.raw, c)).response));

  /** @param c - undefined for the page cache. */
  async function renderPage(request: Request, c?: Context<Web>): Promise<RenderedPage> {
    // Node reads random bytes for 128 of them at once. Reading 16 per page took a twentieth of a small page.
    const nonce = dev ? "" : randomUUID();
    const cookie = request.headers.get("cookie");
    const path = new URL(request.url).pathname;
    const { viewer: found, renewed, closed } = await authenticate(site, cookie, path);
    const refusal = found && c && limiter.countAccount(c, found.id);
    if (refusal) return { response: refuse(c, refusal), nonce };
    const ip = c?.env?.incoming ? clientIp(c.env.incoming) : "unknown";
    const viewer = withNetwork(ip, found);
    const context = new RouterContextProvider();
    context.set(siteContext, site);
    context.set(viewerContext, viewer);
    context.set(closedContext, closed);
    context.set(clientContext, {
      ip,
      userAgent: request.headers.get("user-agent"),
      cookie,
    });
    context.set(nonceContext, nonce);
    // Error pages are never cached, so the id is that of their only request.
    context.set(requestIdContext, currentRequest()?.id ?? "");
    const handle = await handler(path);
    const response = await handle(request, context);
    const html = context.get(renderedHtmlContext);
    const setsSessionCookie = response.headers.getSetCookie().some((each) => each.startsWith(sessionCookieName(site.url)));
    if (!setsSessionCookie) for (const each of renewed) response.headers.append("set-cookie", each);
    if (response.headers.get("content-type")?.startsWith("text/html"))
      response.headers.set("content-security-policy", contentSecurityPolicy({ nonce, scripts: `'nonce-${nonce}'` }, dev));
    // Other sites may link to pages, but not embed them.
    response.headers.set("cross-origin-resource-policy", "same-origin");
    // The Back button must not show a member's page after signing out.
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", viewer ? "private, no-store" : "private, no-cache");
    if (response.status === 503) response.headers.set("retry-after", String(retryAfterSeconds[closed?.code ?? "unavailable"]));
    if (response.status === 429 && !response.headers.has("retry-after"))
      response.headers.set("retry-after", String(context.get(retryAfterContext) ?? retryAfterSeconds.attempts));
    return { response: html === null ? response : send(html, response, request, c?.env?.outgoing), nonce };
  }

  /**
   * Writes to the connection if there is one: copying the page through `Response` costs a tenth of a small page. Browsers that accept Brotli
   * get gzip too, whose parts can be compressed in advance.
   */
  function send(html: HtmlPart[], { status, headers }: Response, request: Request, outgoing?: ServerResponse): Response {
    const useGzip = acceptsGzip(request.headers.get("accept-encoding"));
    headers.append("vary", "Accept-Encoding");
    if (useGzip) headers.set("content-encoding", "gzip");
    const body = useGzip ? gzipParts(html) : Buffer.concat(html.map(({ text }) => text));
    if (!outgoing) return new Response(new Uint8Array(body), { status, headers });
    outgoing.writeHead(status, [...fixedHeaders, ...[...headers].flat(), "content-length", String(body.length)]);
    outgoing.end(body);
    return RESPONSE_ALREADY_SENT;
  }
  return { routes, cache };
}

/** Seconds. */
const retryAfterSeconds = { maintenance: 300, unavailable: 10, attempts: 60 };

/** Open during maintenance, with what is below them, so that administrators can sign in. */
const maintenancePaths = ["login", "logout", "theme"];

function maintenance({ settings }: Site): ClosedSite {
  return { code: "maintenance", title: "We’ll be right back", message: settings.maintenanceMessage };
}

/** `renewed` are cookies to set. */
type Admission = { viewer: Viewer; renewed: string[]; closed: ClosedSite | null };

async function authenticate(site: Site, cookie: string | null, path: string): Promise<Admission> {
  try {
    const { viewer, renewed } = await findAndRenewSession(site, cookie);
    const isClosed = isUnderMaintenance(site, viewer) && !maintenancePaths.includes(pathSegments(path)[0] ?? "");
    return { viewer, renewed, closed: isClosed ? maintenance(site) : null };
  } catch (err) {
    if (!isOutage(err)) throw err;
    site.log.error({ err, path }, "the database can't be used");
    return { viewer: null, renewed: [], closed: unavailable };
  }
}

function pageHandler({ site, build, dev }: Pick<WebConfig, "site" | "build" | "dev">): (path: string) => Promise<RequestHandler> {
  // React Router compares Origin with the request's address, which begins with http behind a TLS proxy.
  const allowedActionOrigins = [new URL(site.url).host];
  const prepared = async () =>
    translateRefusals({ ...(await build()), allowedActionOrigins }, isOutage, { readForm: readFormAgain, reauthenticate });
  if (dev) return async () => createRequestHandler(prepared, "development");
  const openHandlers = async () => {
    const pages = await prepared();
    const familyOf = routeFamilies(pages.routes);
    const handlers = new Map<string | undefined, RequestHandler>();
    return (path: string) => {
      const family = familyOf(path);
      const known = handlers.get(family?.name);
      if (known) return known;
      const handler = createRequestHandler({ ...pages, ...(family && { routes: family.routes }) }, "production");
      handlers.set(family?.name, handler);
      return handler;
    };
  };
  let opened: ReturnType<typeof openHandlers> | undefined;
  return async (path) => {
    opened ??= openHandlers();
    return (await opened)(path);
  };
}
