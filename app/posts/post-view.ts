import { days, seconds } from "#platform/time.ts";

/** The chosen view of All stories, in a cookie with the member's id, so that the server renders it. */
export type PostView = "grid" | "list";

export const viewCookieName = "inkstead_view";
const maxAgeSeconds = days(365) / seconds(1);
const visitor = "visitor";

export function isPostView(value: unknown): value is PostView {
  return value === "grid" || value === "list";
}

export function viewCookie(personId: string | undefined, view: PostView): string {
  return `${viewCookieName}=${encodeURIComponent(personId ?? visitor)}.${view}; Max-Age=${maxAgeSeconds}; Path=/; SameSite=Lax`;
}

/** Another member may have used the same browser. */
export function readView(request: Request, personId: string | undefined): PostView {
  const [, person, view] = /(?:^|;\s*)inkstead_view=([^.;]+)\.(grid|list)(?:;|$)/.exec(request.headers.get("cookie") ?? "") ?? [];
  return isPostView(view) && person === encodeURIComponent(personId ?? visitor) ? view : "grid";
}
