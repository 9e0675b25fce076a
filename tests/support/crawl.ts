import type { Hono } from "hono";
import type { Web } from "#server/http.ts";

/** What a site answered, without what differs from one answer to the next. */
export type CrawledPage = { status: number; type: string; body: string };

/** Every page, picture and other address that links lead to from the landing page, as whoever the cookie says sees it. */
export async function crawl(web: Hono<Web>, cookie?: string): Promise<Map<string, CrawledPage>> {
  const seen = new Map<string, CrawledPage>();
  const found = ["/"];
  for (let path = found.pop(); path !== undefined; path = found.pop()) {
    if (seen.has(path)) continue;
    const response = await web.request(path, { headers: cookie ? { cookie } : {} });
    const type = response.headers.get("content-type") ?? "";
    const body = Buffer.from(await response.arrayBuffer()).toString(type.startsWith("text/html") ? "utf8" : "base64");
    seen.set(path, { status: response.status, type, body: withoutPassing(body) });
    if (type.startsWith("text/html")) found.push(...linksIn(body));
  }
  return seen;
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const newCopy = /\b[0-9a-f]{24}\b/g;

/** Nonces, the ids of the message or the story that a form may begin, where the log of events stands, and what time it is: each database has its own. */
function withoutPassing(body: string): string {
  return body
    .replaceAll(/nonce="[^"]*"/g, "")
    .replaceAll(uuid, "")
    .replaceAll(newCopy, "")
    .replaceAll(/"cursor","[\d-]+"/g, "")
    .replaceAll(/"countedAt",[\d.]+/g, "");
}

/** Assets are files of the build, not of the site. */
function linksIn(html: string): string[] {
  const attributes = [...html.matchAll(/(?:href|src|srcset)="([^"]*)"/gi)].flatMap(([, value = ""]) => value.split(", "));
  const paths = attributes.map((value) => (value.split(" ")[0] ?? "").replaceAll("&amp;", "&").split("#")[0] ?? "");
  return paths.filter((path) => /^\/(?!\/|assets\/)/.test(path));
}
