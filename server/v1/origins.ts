import type { ApiConfig } from "#platform/config.ts";
import { isThisMachine } from "#platform/this-machine.ts";
import { isOwnOrigin } from "#server/limits/own-origin.ts";

export type OriginScope = "nowhere" | "here" | "client" | "elsewhere";

/** Browsers send Origin with everything that can change something; only it tells who is behind a request with our cookies. */
export function originScope(origin: string | undefined, siteUrl: string, { origins }: ApiConfig): OriginScope {
  if (origin === undefined) return "nowhere";
  const from = URL.parse(origin);
  const site = new URL(siteUrl);
  if (!from || from.origin === "null") return "elsewhere";
  if (isOwnOrigin(from.origin, siteUrl)) return "here";
  if (origins.includes(from.origin)) return "client";
  // Who develops an app tries it against a site on the same machine.
  return isThisMachine(from) && isThisMachine(site) ? "client" : "elsewhere";
}

export function isAnotherSite(origin: string, siteUrl: string): boolean {
  if (isThisMachine(new URL(siteUrl))) return true;
  const [from, site] = [new URL(origin).hostname, new URL(siteUrl).hostname];
  if (/^[\d.]+$|:/.test(site)) return true;
  return !(from === site || from.endsWith(`.${site}`) || site.endsWith(`.${from}`));
}

export function mayLinkTo(url: string, siteUrl: string, { origins }: ApiConfig): boolean {
  const to = URL.parse(url);
  const site = new URL(siteUrl);
  if (!to || (to.protocol !== "https:" && to.protocol !== "http:")) return false;
  if (isOwnOrigin(to.origin, siteUrl) || origins.includes(to.origin)) return true;
  return isThisMachine(to) && isThisMachine(site);
}
