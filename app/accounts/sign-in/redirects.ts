import { redirect } from "react-router";
import { withCookies } from "#app/accounts/cookies.ts";
import { viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { localPath } from "#app/shell/local-path.ts";
import type { RouteArgs } from "#app/shell/route-function.ts";

/** A loader for pages that only visitors need. Members may have signed in in another tab, and get to the page named by `?then`. */
export function redirectMembers({ url, context }: Pick<RouteArgs, "url" | "context">) {
  if (context.get(viewerContext)) throw redirect(safePath(url.searchParams.get("then")));
  return null;
}

/** Redirects to the page named by `?then`, with the new session's cookies. */
export function redirectSignedIn(url: URL, cookies: string[], text = "Login successful!"): Response {
  return redirectWithToast(safePath(url.searchParams.get("then")), { tone: "success", text }, withCookies(cookies));
}

const accountScreens = /^\/(?:login|signup|logout|forgot-password|reset-password)(?:[/?#]|$)/;

/** A path on this site. Other sites, in any disguise, and screens that only lead to signing in become `/`. */
export function safePath(then: string | null): string {
  const path = localPath(then);
  return accountScreens.test(path) ? "/" : path;
}
