import type { ApiConfig } from "#platform/config.ts";

/** From where a browser's page asks: no page at all, one of this site, one of a site that may be a client, or any other. */
export type Place = "nowhere" | "here" | "client" | "elsewhere";

const thisMachine = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Browsers send Origin with everything that can change something; only it tells who is behind a request with our cookies. */
export function placeOf(origin: string | undefined, host: string | undefined, siteUrl: string, { origins }: ApiConfig): Place {
  if (origin === undefined) return "nowhere";
  const from = URL.parse(origin);
  const site = new URL(siteUrl);
  if (!from || from.origin === "null") return "elsewhere";
  if (from.host === site.host || from.host === host) return "here";
  if (origins.includes(from.origin)) return "client";
  // Who develops an app tries it against a site on the same machine.
  return thisMachine.test(from.hostname) && thisMachine.test(site.hostname) ? "client" : "elsewhere";
}

/** Whether a browser would keep our cookies from requests of that page: then it needs the session in another way. */
export function isAnotherSite(origin: string, siteUrl: string): boolean {
  const [from, site] = [new URL(origin).hostname, new URL(siteUrl).hostname];
  if (thisMachine.test(site) || /^[\d.]+$|:/.test(site)) return true;
  return !(from === site || from.endsWith(`.${site}`) || site.endsWith(`.${from}`));
}

/** Whether the owner of a place may be sent a link that leads there. */
export function mayLinkTo(url: string, siteUrl: string, { origins }: ApiConfig): boolean {
  const to = URL.parse(url);
  if (!to || (to.protocol !== "https:" && to.protocol !== "http:")) return false;
  return to.host === new URL(siteUrl).host || origins.includes(to.origin) || thisMachine.test(to.hostname);
}
