import { redirect } from "react-router";
import { originContext, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { answerJson } from "#app/shell/json-answer.server.ts";
import { addPasskey, removePasskey, startPasskey } from "#domain/accounts/sign-in/passkeys.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Route } from "./+types/passkeys-action.ts";
import { setCookies } from "./cookies.ts";
import { madeByBrowser } from "./made-by-browser.ts";

/** `start` and `add` answer the page's script; `remove` is a plain form. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const [site, viewer, origin] = [context.get(siteContext), context.get(viewerContext), context.get(originContext)];
  const form = await readForm(request, formLimits.account);
  if (params.step === "start")
    return answerJson(async (headers) => {
      const { options, cookies } = await startPasskey(site, viewer, origin, String(form.get("password") ?? ""));
      setCookies(headers, cookies);
      return options;
    });
  if (params.step === "add")
    return answerJson(async () => {
      await addPasskey(site, viewer, origin, { name: String(form.get("name") ?? ""), response: madeByBrowser(form) });
    });
  await removePasskey(site, viewer, origin, String(form.get("id") ?? ""));
  return redirectWithToast("/account", { tone: "success", text: "The passkey has been removed." });
}

export function loader() {
  return redirect("/account");
}
