import type { HonoRequest } from "hono";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import { isLocalhost } from "#platform/localhost.ts";
import { isOwnOrigin } from "#server/limits/own-origin.ts";
import { isReadMethod } from "#server/limits/route-class.ts";
import { ApiError } from "./errors.ts";

export type OriginScope = "none" | "own" | "client" | "foreign";

/** Classifies the page that sent a request by its Origin header. */
export function originScope(origin: string | undefined, siteUrl: string, { origins }: ApiConfig): OriginScope {
  if (origin === undefined) return "none";
  const from = URL.parse(origin);
  if (!from || from.origin === "null") return "foreign";
  if (isOwnOrigin(from.origin, siteUrl)) return "own";
  if (origins.includes(from.origin)) return "client";
  // Apps under development on the site's machine.
  return isLocalhost(from) && isLocalhost(new URL(siteUrl)) ? "client" : "foreign";
}

/** @throws ApiError for another project, and for writes from other sites' pages. */
export function checkProjectAndOrigin(request: HonoRequest, { url }: Site, config: ApiConfig): void {
  // Parsing the query of a list is expensive.
  const inUrl = request.url.includes("project=") ? request.query("project") : undefined;
  if ((inUrl ?? request.header("x-appwrite-project")) !== config.project) throw new ApiError("project_not_found");
  if (isReadMethod(request.method)) return;
  const origin = request.header("origin");
  const isForeign =
    origin === undefined
      ? ["cross-site", "same-site"].includes(request.header("sec-fetch-site") ?? "")
      : originScope(origin, url, config) === "foreign";
  if (isForeign) throw new ApiError("general_unknown_origin", unknownOrigin(origin));
}

export function unknownOrigin(origin: string | undefined): string {
  const host = URL.parse(origin ?? "")?.host || "null";
  return `Invalid Origin. Register your new client (${host}) as a new Web platform on your project console dashboard`;
}

export function isAnotherSite(origin: string, siteUrl: string): boolean {
  if (isLocalhost(new URL(siteUrl))) return true;
  const [from, site] = [new URL(origin).hostname, new URL(siteUrl).hostname];
  if (/^[\d.]+$|:/.test(site)) return true;
  return !(from === site || from.endsWith(`.${site}`) || site.endsWith(`.${from}`));
}

export function mayLinkTo(url: string, siteUrl: string, { origins }: ApiConfig): boolean {
  const to = URL.parse(url);
  const site = new URL(siteUrl);
  if (!to || (to.protocol !== "https:" && to.protocol !== "http:")) return false;
  if (isOwnOrigin(to.origin, siteUrl) || origins.includes(to.origin)) return true;
  return isLocalhost(to) && isLocalhost(site);
}
