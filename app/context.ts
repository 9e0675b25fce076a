import { createContext, type RouterContextProvider } from "react-router";
import type { Origin } from "#domain/accounts/sign-in/auth.server.ts";
import { SignInFirst } from "#domain/refusals.ts";
import type { Member, Site, Viewer } from "#domain/site.ts";
import type { ClosedSite } from "./shell/closed.ts";

/** What a loader or action is handed: `context.get(siteContext)`. Always import this file as `#app/context.ts`. */
export const siteContext = createContext<Site>();
export const viewerContext = createContext<Viewer>();
export const originContext = createContext<Origin>();
/** Why the site is closed for everybody or for this person; null when it is open. */
export const closedContext = createContext<ClosedSite | null>(null);
/** Seconds after which the person may try again: set by the one who refuses something for now. */
export const retryAfterContext = createContext<number | null>(null);
/** What an error page names, so that it can be found in the log; empty where the page is for nobody in particular. */
export const requestIdContext = createContext("");
export const nonceContext = createContext<string>();
/** The rendered page. Beside its response, which has no body: the router would make a stream of that. */
export const renderedHtmlContext = createContext<Buffer | null>(null);

/** @throws SignInFirst for a visitor. */
export function memberIn(context: Readonly<RouterContextProvider>): Member {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new SignInFirst();
  return viewer;
}
