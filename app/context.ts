import { createContext, type RouterContextProvider } from "react-router";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { SignInRequired } from "#domain/refusals.ts";
import type { Member, Site, Viewer } from "#domain/site.ts";
import type { ClosedSite } from "./shell/closed.ts";

/** For loaders and actions: `context.get(siteContext)`. Always import this file as `#app/context.ts`. */
export const siteContext = createContext<Site>();
export const viewerContext = createContext<Viewer>();
export const clientContext = createContext<ClientInfo>();
/** Why the site is closed for this request; null if it is open. */
export const closedContext = createContext<ClosedSite | null>(null);
/** The `Retry-After` of a refusal, in seconds. */
export const retryAfterContext = createContext<number | null>(null);
/** Shown on error pages, to find the request in the log. Empty for pages that are rendered for the page cache. */
export const requestIdContext = createContext("");
export const nonceContext = createContext<string>();
/** A part of a page. `deflated` if it was compressed before, for many responses. */
export type HtmlPart = { text: Buffer; deflated?: Buffer };
/** The rendered page. Its response has no body, which the router would copy through a stream. */
export const renderedHtmlContext = createContext<HtmlPart[] | null>(null);

/** @throws SignInRequired for a visitor. */
export function requireMember(context: Readonly<RouterContextProvider>): Member {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new SignInRequired();
  return viewer;
}
