import { createHash, randomBytes } from "node:crypto";
import { readToasts } from "#app/shell/flash.ts";
import { readTheme } from "#app/shell/theme/theme.ts";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import type { Site } from "#domain/site.ts";
import { isKnown } from "#server/files/ranges.ts";
import { pageVersion, WhileUnchanged } from "#server/while-unchanged.ts";
import { type GzipPart, gzipParts, joinGzip } from "./gzip-parts.ts";

export type RenderedPage = { response: Response; nonce: string };

type CachedPage = { madeAt: number; etag: string; headers: Headers; parts: GzipPart[] };

/** Milliseconds after which a page is made again even if nothing has changed: it tells how long ago things were. */
const maxAge = 10_000;
const maxPage = 1024 * 1024;
const maxAddress = 500;
/** Beside the bytes of its buffer, a page's headers and parts take 2 to 3 kB of the heap. */
const pageBytes = 4 * 1024;

/** Of Node's decoders, one that keeps a byte order mark. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Whole pages for visitors. A kept page is sent only while nothing at all has been committed to the database since
 * before it was made, by this process or another, but what signing in leaves, so that no change has to be announced to it. Each answer carries a
 * nonce of its own: a page is kept in the parts between the places where the nonce stood.
 */
export class PageCache {
  readonly #site: Site;
  readonly #policy: (nonce: string) => string;
  readonly #kept = new WhileUnchanged<CachedPage>("page");
  readonly #making = new Map<string, Promise<CachedPage | undefined>>();

  constructor(site: Site, policy: (nonce: string) => string) {
    this.#site = site;
    this.#policy = policy;
  }

  /** `render` is called when there is nothing kept that may be sent. */
  async answer(request: Request, render: () => Promise<RenderedPage>): Promise<Response> {
    const key = this.#keyOf(request);
    const version = key && (await pageVersion(this.#site));
    if (!key || !version) return (await render()).response;
    const kept = this.#kept.get(this.#site, key, version);
    if (kept && this.#site.now() - kept.madeAt < maxAge) return this.#send(request, kept);
    return this.#makeOnce(request, { key, version, render });
  }

  async #makeOnce(request: Request, { key, version, render }: { key: string; version: string; render: () => Promise<RenderedPage> }) {
    const name = `${version} ${key}`;
    const others = this.#making.get(name);
    if (others) {
      const kept = await others.catch(() => undefined);
      return kept ? this.#send(request, kept) : (await render()).response;
    }
    let response: Response | undefined;
    const making = (async () => {
      const rendered = await render();
      if (mayBeKept(rendered.response)) return this.#keep(key, version, rendered);
      response = rendered.response;
      return undefined;
    })();
    this.#making.set(name, making);
    try {
      const kept = await making;
      return kept ? this.#send(request, kept) : (response ?? (await render()).response);
    } finally {
      this.#making.delete(name);
    }
  }

  #keyOf(request: Request): string | undefined {
    if (request.method !== "GET") return undefined;
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith(".data") || pathname.length + search.length > maxAddress) return undefined;
    const cookie = request.headers.get("cookie") ?? "";
    if (cookie.includes(sessionCookieName(this.#site.url)) || readToasts(request).length > 0) return undefined;
    return `${readTheme(request)} ${pathname}${search}`;
  }

  async #keep(key: string, version: string, { response, nonce }: RenderedPage): Promise<CachedPage> {
    const html = await response.text();
    const texts = html.split(nonce);
    const { parts, bytes } = gzipParts(texts);
    const headers = new Headers(response.headers);
    headers.delete("content-security-policy");
    const etag = createHash("sha256").update(texts.join("")).digest("base64url").slice(0, 22);
    const kept = { madeAt: this.#site.now(), etag, headers, parts };
    if (bytes <= maxPage) this.#kept.set(this.#site, key, { version, value: kept, bytes: bytes + pageBytes });
    return kept;
  }

  #send(request: Request, { etag, headers: kept, parts }: CachedPage): Response {
    const headers = new Headers(kept);
    // Weak, as the nonce differs from one answer to the next.
    headers.set("etag", `W/"${etag}"`);
    headers.set("vary", "Cookie, Accept-Encoding");
    // Without a policy: the browser goes on with the page it has, whose nonce is another one.
    if (isKnown(request.headers.get("if-none-match"), `"${etag}"`)) return new Response(null, { status: 304, headers });
    const nonce = newNonce();
    headers.set("content-security-policy", this.#policy(nonce));
    if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? ""))
      return new Response(parts.map(({ plain }) => utf8.decode(plain)).join(nonce), { headers });
    headers.set("content-encoding", "gzip");
    return new Response(new Uint8Array(joinGzip(parts, Buffer.from(nonce))), { headers });
  }
}

export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

function mayBeKept({ status, headers }: Response): boolean {
  return status === 200 && headers.getSetCookie().length === 0 && headers.get("content-type")?.startsWith("text/html") === true;
}
