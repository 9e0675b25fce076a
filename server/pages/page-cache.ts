import type { Context } from "hono";
import { viewCookieName } from "#app/posts/post-view.ts";
import { toastCookieName } from "#app/shell/flash.ts";
import { themeCookieName, themeOf } from "#app/shell/theme/theme.ts";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import { pageVersion } from "#platform/database/version.ts";
import { encodingFor } from "#platform/encoding.ts";
import { seconds } from "#platform/time.ts";
import { matchesEtag } from "#server/files/ranges.ts";
import type { Web } from "#server/http.ts";
import { routeClassOf } from "#server/limits/route-class.ts";
import { routeClasses } from "#server/limits/table.ts";
import { securityHeaderValues } from "#server/middleware.ts";
import { encodePage, type PageResponses } from "./encoded-page.ts";

/** Without a context for the cache, as a visitor without cookies sees the page. */
type Render = (request: Request, c?: Context<Web>) => Promise<RenderedPage>;
export type RenderedPage = { response: Response; nonce: string };

export type CachedPage = PageResponses & {
  /** The content version at rendering time. The page is never sent at another one. */
  contentVersion: string | undefined;
  version: string;
  /** When the page was last known to match the database. */
  checkedAt: number;
  renderedAt: number;
};

type CheckedPage = Pick<CachedPage, "contentVersion" | "version" | "checkedAt">;

/** Maximum time since the page was last compared with the database. */
const maxStalenessMs = seconds(1);
/** After this time requests still get the page, but it is compared again in the background. */
const renewAfterMs = 600;
/** Unchanged pages expire, because they contain relative times. */
const maxAgeMs = seconds(10);
const maxPageBytes = 1024 * 1024;
const maxUrlLength = 500;
/** Overhead of an entry, besides its bodies. */
const pageBytes = 8 * kilobyte;

/**
 * Complete responses for visitors. A page may be a second old, but hiding or removing content invalidates it immediately
 * (platform/database/cache-invalidation.ts).
 */
export class PageCache {
  readonly #site: Site;
  readonly #render: Render;
  readonly #session: string;
  readonly #rendering = new Map<string, { checkedAt: number; page: Promise<CachedPage | RenderedPage> }>();
  readonly #renewing = new Set<string>();
  #contentVersion: string | undefined;
  #contentVersionIsKnown = false;

  constructor(site: Site, render: Render) {
    this.#site = site;
    this.#render = render;
    this.#session = sessionCookieName(site.url);
    site.versions.cacheInvalidation.onChange(() => {
      this.#contentVersionIsKnown = false;
    });
  }

  /** `url` is path and query. Undefined for requests that bypass the cache: with a session, a toast or a chosen view of all stories. */
  keyOf(url: string, cookie: string | undefined): string | undefined {
    if (cookie === undefined) return url;
    if (cookie.includes(this.#session) || cookie.includes(`${toastCookieName}=`)) return undefined;
    if (url.startsWith("/all-posts") && cookie.includes(`${viewCookieName}=`)) return undefined;
    const theme = themeOf(cookie);
    // Addresses contain no spaces.
    return theme === "system" ? url : `${theme} ${url}`;
  }

  /** A page that may be sent without a query. */
  find(key: string): CachedPage | undefined {
    const page = this.#site.memory.pageCache.get(key) as CachedPage | undefined;
    if (!page || page.contentVersion === undefined || page.contentVersion !== this.#currentContentVersion()) return undefined;
    const now = this.#site.now();
    const age = now - page.checkedAt;
    if (age < 0 || age > maxStalenessMs || now - page.renderedAt >= maxAgeMs) return undefined;
    if (age > renewAfterMs && !this.#renewing.has(key)) this.#renew(key);
    this.#site.memory.pageCacheHits.hit++;
    return page;
  }

  async answer(request: Request, c: Context<Web>): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const key = isCacheable(request.method, pathname, search)
      ? this.keyOf(pathname + search, request.headers.get("cookie") ?? undefined)
      : undefined;
    if (!key) return (await this.#render(request, c)).response;
    this.#contentVersionIsKnown = false;
    const found = this.find(key) ?? (await this.#current(key));
    if (!found) return (await this.#render(request, c)).response;
    return "etag" in found ? respond(request, found) : found.response;
  }

  /** The cached page if the database is unchanged, otherwise a new one. Undefined during an outage. */
  async #current(key: string, maxAge = maxAgeMs): Promise<CachedPage | RenderedPage | undefined> {
    const { memory, now } = this.#site;
    const checkedAt = now();
    const contentVersion = this.#readContentVersion();
    const version = await pageVersion(this.#site);
    if (!version) return undefined;
    const page = memory.pageCache.get(key) as CachedPage | undefined;
    if (page?.version === version && now() - page.renderedAt < maxAge) {
      this.#site.memory.pageCacheHits.hit++;
      Object.assign(page, { checkedAt, contentVersion });
      return page;
    }
    return this.#renderOnce(key, { contentVersion, version, checkedAt });
  }

  /** Concurrent requests share a rendering, unless it can't be cached or has taken so long that its data may be too old. */
  async #renderOnce(key: string, at: CheckedPage): Promise<CachedPage | RenderedPage | undefined> {
    const name = `${at.contentVersion ?? at.version} ${key}`;
    const running = this.#rendering.get(name);
    if (running && at.checkedAt - running.checkedAt <= maxStalenessMs) {
      this.#site.memory.pageCacheHits.hit++;
      const rendered = await running.page.catch(() => undefined);
      return rendered && "etag" in rendered ? rendered : undefined;
    }
    const started = { checkedAt: at.checkedAt, page: this.#renderForCache(key, at) };
    this.#site.memory.pageCacheHits.miss++;
    this.#rendering.set(name, started);
    try {
      return await started.page;
    } finally {
      if (this.#rendering.get(name) === started) this.#rendering.delete(name);
    }
  }

  async #renderForCache(key: string, at: CheckedPage): Promise<CachedPage | RenderedPage> {
    const [theme, url] = key.includes(" ") ? (key.split(" ") as [string, string]) : [undefined, key];
    const headers = { accept: "text/html", ...(theme && { cookie: `${themeCookieName}=${theme}` }) };
    const rendered = await this.#render(new Request(new URL(url, this.#site.url), { headers }));
    if (!mayBeCached(rendered.response)) return rendered;
    const encoded = await encodePage(rendered.response, rendered.nonce, securityHeaderValues(this.#site));
    const page = { ...encoded, ...at, renderedAt: at.checkedAt };
    if (page.bytes <= maxPageBytes) this.#site.memory.pageCache.set(key, page, page.bytes + pageBytes);
    return page;
  }

  #renew(key: string): void {
    this.#renewing.add(key);
    this.#current(key, maxAgeMs - 2 * maxStalenessMs)
      .catch((err) => this.#site.log.warn({ err }, "a cached page was not renewed"))
      .finally(() => this.#renewing.delete(key));
  }

  /** Read once per turn of the event loop. */
  #currentContentVersion(): string | undefined {
    if (this.#contentVersionIsKnown) return this.#contentVersion;
    this.#contentVersion = this.#readContentVersion();
    this.#contentVersionIsKnown = true;
    setImmediate(() => {
      this.#contentVersionIsKnown = false;
    });
    return this.#contentVersion;
  }

  #readContentVersion(): string | undefined {
    const { versions, settings } = this.#site;
    const version = versions.cacheInvalidation.contentVersion();
    return version === undefined ? undefined : `${version} ${JSON.stringify(settings)}`;
  }
}

/** Costlier classes of requests are limited and rendered one by one. */
function isCacheable(method: string, pathname: string, search: string): boolean {
  // "//name" would be the URL of another host.
  if (method !== "GET" || pathname.startsWith("//") || pathname.endsWith(".data") || pathname.length + search.length > maxUrlLength)
    return false;
  return routeClassOf(method, pathname) === routeClasses.reading;
}

function mayBeCached({ status, headers }: Response): boolean {
  return status === 200 && headers.getSetCookie().length === 0 && headers.get("content-type")?.startsWith("text/html") === true;
}

function respond(request: Request, { encodings, unchanged, etag }: CachedPage): Response {
  if (matchesEtag(request.headers.get("if-none-match"), `"${etag}"`)) return new Response(null, { status: 304, headers: pairs(unchanged) });
  const { headers, body } = encodings[encodingFor(request.headers.get("accept-encoding"))];
  return new Response(new Uint8Array(body), { headers: pairs(headers) });
}

function pairs(flat: string[]): [string, string][] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""] as [string, string]] : []));
}
