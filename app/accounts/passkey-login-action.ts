import { redirect } from "react-router";
import { originContext, siteContext } from "#app/context.ts";
import { startPasskeySignIn } from "#domain/accounts/passkeys.server.ts";
import type { Route } from "./+types/passkey-login-action.ts";
import { jsonAnswer } from "./json-answer.server.ts";

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
