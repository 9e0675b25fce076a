import { redirect } from "react-router";
import { clientContext, siteContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { signInWithPasskey } from "#domain/accounts/sign-in/passkeys.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Route } from "./+types/passkey-sign-in-action.ts";
import { redirectSignedIn } from "./redirects.ts";

export async function action({ request, url, context }: Route.ActionArgs) {
  try {
    const assertion: unknown = JSON.parse(String((await readForm(request, formLimits.account)).get("passkey") ?? "null"));
    return redirectSignedIn(url, await signInWithPasskey(context.get(siteContext), context.get(clientContext), assertion));
  } catch (error) {
    const text = error instanceof SyntaxError ? "Login failed." : refusalOf(error).message;
    return redirectWithToast(`/login${url.search}`, { tone: "error", text });
  }
}

export const loader = () => redirect("/login");
