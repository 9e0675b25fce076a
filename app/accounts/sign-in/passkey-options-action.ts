import { redirect } from "react-router";
import { setCookies } from "#app/accounts/cookies.ts";
import { clientContext, siteContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { startPasskeySignIn } from "#domain/accounts/sign-in/passkeys.server.ts";
import type { Route } from "./+types/passkey-options-action.ts";

/** The WebAuthn options for `navigator.credentials.get`. */
export function action({ context }: Route.ActionArgs) {
  return respondWithJson(async (headers) => {
    const { options, cookies } = await startPasskeySignIn(context.get(siteContext), context.get(clientContext));
    setCookies(headers, cookies);
    return options;
  });
}

export const loader = () => redirect("/login");
