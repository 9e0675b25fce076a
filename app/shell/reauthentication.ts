import { data } from "react-router";
import { clientContext, siteContext, viewerContext } from "#app/context.ts";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import type { Credential } from "#domain/accounts/sign-in/reauthenticate.server.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { type PostedForm, type ReadForm, readPostedForm } from "./closed.ts";
import type { RouteArgs, RouteFunction } from "./route-function.ts";

/** Verifies a staff member's password or passkey again and records it in the session. @throws refusals. */
export type Reauthenticate = (site: Site, viewer: Viewer, client: ClientInfo, credential: Credential) => Promise<void>;

type Challenge = { code: "reauthentication-required"; message: string; form: PostedForm; passkey: boolean; error?: string };

const [passwordField, passkeyField] = ["reauthenticate-password", "reauthenticate-passkey"];
const credentialFields = [passwordField, passkeyField];

/**
 * Wraps the actions of the admin area. A password or passkey response in a form is checked first, and the action runs without it. An action
 * that requires it is answered with a challenge and the form's fields, so that no input is lost.
 */
export function reauthentication(
  { reauthenticate, readForm }: { reauthenticate: Reauthenticate; readForm: ReadForm },
  run: RouteFunction,
): RouteFunction {
  return async (args) => {
    const form = await readForm(args.request.clone()).catch(() => new FormData());
    try {
      return await run(credentialFields.some((name) => form.has(name)) ? await reauthenticateAndStrip(reauthenticate, args, form) : args);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const isWrong = error.field === passwordField || (error.code === "too-many" && form.has(passwordField));
      if (error.code !== "reauthentication-required" && !isWrong) throw error;
      const passkey = args.context.get(viewerContext)?.hasPasskey ?? false;
      const question = { form: await readPlainForm(form, args, readForm), message: error.message, passkey };
      throw challenge(question, isWrong ? statusOf(error) : 403, isWrong);
    }
  };
}

function challenge(question: Pick<Challenge, "form" | "message" | "passkey">, status: number, isWrong: boolean) {
  return data<Challenge>({ code: "reauthentication-required", ...question, ...(isWrong && { error: question.message }) }, { status });
}

async function reauthenticateAndStrip(reauthenticate: Reauthenticate, args: RouteArgs, form: FormData): Promise<RouteArgs> {
  const { context, request } = args;
  const [passkey, password] = [form.get(passkeyField), form.get(passwordField)];
  const credential = passkey ? { passkey: String(passkey) } : { password: String(password ?? "") };
  const viewer = context.get(viewerContext);
  await reauthenticate(context.get(siteContext), viewer, context.get(clientContext), credential);
  if (viewer) context.set(viewerContext, { ...viewer, isReauthenticated: true });
  for (const name of credentialFields) form.delete(name);
  const headers = new Headers(request.headers);
  for (const name of ["content-type", "content-length"]) headers.delete(name);
  return { ...args, request: new Request(request.url, { method: request.method, headers, body: form, signal: request.signal }) };
}

/** The form as a browser without JavaScript would send it. */
async function readPlainForm(form: FormData, { url }: RouteArgs, readForm: ReadForm): Promise<PostedForm> {
  for (const name of [...credentialFields, "scripted"]) form.delete(name);
  const params = new URLSearchParams(url.search);
  params.delete("_routes");
  const search = params.size > 0 ? `?${params}` : "";
  const body = new Request("http://form.invalid", { method: "POST", body: form });
  return (
    (await readPostedForm(body, url.pathname + search, readForm)) ?? {
      action: url.pathname,
      fields: [],
      hadFiles: false,
    }
  );
}
