import { redirect } from "react-router";
import { jsonAnswer } from "#app/accounts/json-answer.server.ts";
import { originContext, siteContext } from "#app/context.ts";
import { startPasskeySignIn } from "#domain/accounts/sign-in/passkeys.server.ts";
import type { Route } from "./+types/passkey-login-action.ts";

/** What the browser is to ask the device for. */
export function action({ context }: Route.ActionArgs) {
  return jsonAnswer(async () => {
    const { options, cookies } = await startPasskeySignIn(context.get(siteContext), context.get(originContext));
    return { body: options, cookies };
  });
}

export function loader() {
  return redirect("/login");
}
