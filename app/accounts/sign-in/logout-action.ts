import { redirect } from "react-router";
import { withCookies } from "#app/accounts/cookies.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { signOut } from "#domain/accounts/accounts.server.ts";
import type { Route } from "./+types/logout-action.ts";

export async function action({ context }: Route.ActionArgs) {
  const cookies = await signOut(context.get(siteContext), context.get(viewerContext));
  return redirect("/", { headers: withCookies(cookies) });
}

/** A link must not sign anyone out. */
export const loader = () => redirect("/");
