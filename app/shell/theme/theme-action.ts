import { data, redirect } from "react-router";
import { siteContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { localPath, refererPath } from "#app/shell/local-path.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Route } from "./+types/theme-action.ts";
import { isThemeChoice, themeCookie } from "./theme.ts";

/** Saves the chosen theme. Without JavaScript the form has `back`, the page to return to. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const choice = form.get("theme");
  const headers = isThemeChoice(choice) ? { "set-cookie": themeCookie(choice) } : {};
  if (form.has("back")) throw redirect(localPath(form.get("back")), { headers });
  return data({ theme: choice }, { headers });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { theme: null }, connectionLost);

export function loader({ request, context }: Route.LoaderArgs) {
  return redirect(refererPath(request, context.get(siteContext).url));
}
