import type { Context } from "hono";
import { toastCookieName } from "#app/shell/flash.ts";
import { themeOf } from "#app/shell/theme/theme.ts";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import { pageVersion } from "#platform/database/version.ts";
import { encodingFor } from "#platform/encoding.ts";
import { seconds } from "#platform/time.ts";
import { isKnown } from "#server/files/ranges.ts";
import type { Web } from "#server/http.ts";
import { routeClassOf } from "#server/limits/route-class.ts";
import { routeClasses } from "#server/limits/table.ts";
import { securityHeaderValues } from "#server/middleware.ts";
import { finish, type KeptPage } from "./kept-page.ts";

/** The context is that of the one who is answered; without one the page is for nobody in particular. */
type Render = (request: Request, c?: Context<Web>) => Promise<RenderedPage>;
export type RenderedPage = { response: Response; nonce: string };

export type CachedPage = KeptPage & {
  /** What was in sight when it was made: once that is another, it is sent to nobody. */
  sight: string | undefined;
  version: string;
  /** When it was as the database is. */
  asOf: number;
  madeAt: number;
};

/** A page is never sent later than this after it was as the database is… */
const maxStalenessMs = seconds(1);
/** … and from here on it is looked after in the background, so that nobody waits. */
const renewAfterMs = 600;
/** After which a page is made again even if nothing has changed: it tells how long ago things were. */
const maxAgeMs = seconds(10);
const maxPageBytes = 1024 * 1024;
const maxAddressLength = 500;
/** Beside its bytes, a page's headers and the rest of it take this much of the heap. */
const pageBytes = 8 * kilobyte;

/**
 * Finished answers for visitors: rendered for nobody in particular, sent as they are. A page is up to a second behind what people
 * write and count, but what is taken out of sight ends it at once (platform/database/visible.ts).
 */
export class PageCache {
  readonly #site: Site;
  readonly #render: Render;
  readonly #session: string;
  readonly #making = new Map<string, Promise<CachedPage | RenderedPage>>();
  readonly #renewing = new Set<string>();
  #sight: string | undefined;
  #sightIsKnown = false;

  constructor(site: Site, render: Render) {
    this.#site = site;
    this.#render = render;
    this.#session = sessionCookieName(site.url);
    site.versions.visible.onChange(() => {
      this.#sightIsKnown = false;
    });
  }

  /** Undefined for who is somebody: their pages are never kept, nor is a kept one for them. `address` is path and query. */
  keyOf(address: string, cookie: string | undefined): string | undefined {
    if (cookie === undefined) return address;
    if (cookie.includes(this.#session) || cookie.includes(`${toastCookieName}=`)) return undefined;
    const theme = themeOf(cookie);
    // No address has a space in it.
    return theme === "system" ? address : `${theme} ${address}`;
  }

  /** What may be sent in this moment, without any waiting. */
  find(key: string): CachedPage | undefined {
    const page = this.#site.memory.pages.get(key) as CachedPage | undefined;
    if (!page || page.sight === undefined || page.sight !== this.#sightNow()) return undefined;
    const now = this.#site.now();
    const age = now - page.asOf;
    if (age < 0 || age > maxStalenessMs || now - page.madeAt >= maxAgeMs) return undefined;
    if (age > renewAfterMs && !this.#renewing.has(key)) this.#renew(key);
    this.#site.memory.pageAnswers.kept++;
    return page;
  }

  async answer(request: Request, c: Context<Web>): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const key = mayBeAsked(request.method, pathname, search)
      ? this.keyOf(pathname + search, request.headers.get("cookie") ?? undefined)
      : undefined;
    if (!key) return (await this.#render(request, c)).response;
    this.#sightIsKnown = false;
    const found = this.find(key) ?? (await this.#current(key));
    if (!found) return (await this.#render(request, c)).response;
    return "etag" in found ? respond(request, found) : found.response;
  }

  /** Asks the database first whether what is kept is still as it would be made. Undefined while the database doesn't answer. */
  async #current(key: string, goodFor = maxAgeMs): Promise<CachedPage | RenderedPage | undefined> {
    const { memory, now } = this.#site;
    const asked = now();
    const sight = this.#readSight();
    const version = await pageVersion(this.#site);
    if (!version) return undefined;
    const page = memory.pages.get(key) as CachedPage | undefined;
    if (page?.version === version && now() - page.madeAt < goodFor) {
      this.#site.memory.pageAnswers.kept++;
      Object.assign(page, { asOf: asked, sight });
      return page;
    }
    return this.#makeOnce(key, { sight, version, asOf: asked });
  }

  /** All who come while nothing is taken out of sight get the same one; what can't be kept is the answer of only one of them. */
  async #makeOnce(key: string, at: Pick<CachedPage, "sight" | "version" | "asOf">): Promise<CachedPage | RenderedPage | undefined> {
    const name = `${at.sight ?? at.version} ${key}`;
    const others = this.#making.get(name);
    if (others) {
      this.#site.memory.pageAnswers.kept++;
      const made = await others.catch(() => undefined);
      return made && "etag" in made ? made : undefined;
    }
    const making = this.#make(key, at);
    this.#site.memory.pageAnswers.made++;
    this.#making.set(name, making);
    try {
      return await making;
    } finally {
      this.#making.delete(name);
    }
  }

  async #make(key: string, at: Pick<CachedPage, "sight" | "version" | "asOf">): Promise<CachedPage | RenderedPage> {
    const [theme, address] = key.includes(" ") ? (key.split(" ") as [string, string]) : [undefined, key];
    const headers = { accept: "text/html", ...(theme && { cookie: `inkstead_theme=${theme}` }) };
    const rendered = await this.#render(new Request(new URL(address, this.#site.url), { headers }));
    if (!mayBeKept(rendered.response)) return rendered;
    const page = { ...(await finish(rendered.response, rendered.nonce, securityHeaderValues(this.#site))), ...at, madeAt: at.asOf };
    if (page.bytes <= maxPageBytes) this.#site.memory.pages.set(key, page, page.bytes + pageBytes);
    return page;
  }

  #renew(key: string): void {
    this.#renewing.add(key);
    this.#current(key, maxAgeMs - 2 * maxStalenessMs)
      .catch((err) => this.#site.log.warn({ err }, "a page was not renewed"))
      .finally(() => this.#renewing.delete(key));
  }

  /** Read once for all requests that come in the same turn of the loop. */
  #sightNow(): string | undefined {
    if (this.#sightIsKnown) return this.#sight;
    this.#sight = this.#readSight();
    this.#sightIsKnown = true;
    setImmediate(() => {
      this.#sightIsKnown = false;
    });
    return this.#sight;
  }

  #readSight(): string | undefined {
    const { versions, settings } = this.#site;
    const version = versions.visible.version();
    return version === undefined ? undefined : `${version} ${JSON.stringify(settings)}`;
  }
}

/** What costs more than a page is counted and made for each who asks. */
function mayBeAsked(method: string, pathname: string, search: string): boolean {
  if (method !== "GET" || pathname.endsWith(".data") || pathname.length + search.length > maxAddressLength) return false;
  return routeClassOf(method, pathname) === routeClasses.reading;
}

function mayBeKept({ status, headers }: Response): boolean {
  return status === 200 && headers.getSetCookie().length === 0 && headers.get("content-type")?.startsWith("text/html") === true;
}

function respond(request: Request, { answers, unchanged, etag }: CachedPage): Response {
  if (isKnown(request.headers.get("if-none-match"), `"${etag}"`)) return new Response(null, { status: 304, headers: pairs(unchanged) });
  const { headers, body } = answers[encodingFor(request.headers.get("accept-encoding"))];
  return new Response(new Uint8Array(body), { headers: pairs(headers) });
}

function pairs(flat: string[]): [string, string][] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""] as [string, string]] : []));
}
