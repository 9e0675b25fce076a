import type { Hono } from "hono";
import type { Web } from "#server/http.ts";

/** A response without parts that differ between requests. */
export type CrawledPage = { status: number; type: string; body: string };

/** Every page, picture and other address linked from the landing page, as the cookie's user sees it. */
export async function crawl(web: Hono<Web>, cookie?: string): Promise<Map<string, CrawledPage>> {
  const pages = new Map<string, CrawledPage>();
  const queue = ["/"];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (pages.has(path)) continue;
    const response = await web.request(path, { headers: cookie ? { cookie } : {} });
    const type = response.headers.get("content-type") ?? "";
    const body = Buffer.from(await response.arrayBuffer()).toString(type.startsWith("text/html") ? "utf8" : "base64");
    pages.set(path, { status: response.status, type, body: withoutVolatileParts(body) });
    if (type.startsWith("text/html")) queue.push(...linksIn(body));
  }
  return pages;
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const newCopy = /\b[0-9a-f]{24}\b/g;

/** Nonces, form ids, positions of the event log and times differ between databases. */
function withoutVolatileParts(body: string): string {
  return body
    .replaceAll(/nonce="[^"]*"/g, "")
    .replaceAll(uuid, "")
    .replaceAll(newCopy, "")
    .replaceAll(/"cursor","[\d-]+"/g, "")
    .replaceAll(/"countedAt",[\d.]+/g, "");
}

/** Assets belong to the build, not to the site. */
function linksIn(html: string): string[] {
  const attributes = [...html.matchAll(/(?:href|src|srcset)="([^"]*)"/gi)].flatMap(([, value = ""]) => value.split(", "));
  const paths = attributes.map((value) => (value.split(" ")[0] ?? "").replaceAll("&amp;", "&").split("#")[0] ?? "");
  return paths.filter((path) => /^\/(?!\/|assets\/)/.test(path));
}
