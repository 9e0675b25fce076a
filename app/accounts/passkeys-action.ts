import { redirect } from "react-router";
import { clientContext, siteContext, viewerContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { addPasskey, startPasskey } from "#domain/accounts/sign-in/passkeys.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { NotFound } from "#domain/refusals.ts";
import type { Route } from "./+types/passkeys-action.ts";
import { setCookies } from "./cookies.ts";

/** Both steps answer a script with JSON. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const [site, viewer, client] = [context.get(siteContext), context.get(viewerContext), context.get(clientContext)];
  const form = await readForm(request, formLimits.account);
  const text = (name: string) => String(form.get(name) ?? "");
  if (params.step === "start")
    return respondWithJson(async (headers) => {
      const { options, cookies } = await startPasskey(site, viewer, client, text("password"));
      setCookies(headers, cookies);
      return options;
    });
  if (params.step === "add")
    return respondWithJson(() => addPasskey(site, viewer, client, { name: text("name"), response: parseJson(text("response")) }));
  throw new NotFound();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const loader = () => redirect("/account");
