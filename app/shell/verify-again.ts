import { data } from "react-router";
import { originContext, siteContext, viewerContext } from "#app/context.ts";
import type { Origin } from "#domain/accounts/sign-in/auth.server.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { type ReadForm, type PostedForm, readPostedForm } from "./closed.ts";
import type { RouteArgs, RouteFunction } from "./route-function.ts";

/** Checks what someone on the staff shows once more, and notes it in their session. @throws refusals. */
export type VerifyAgain = (site: Site, viewer: Viewer, origin: Origin, proof: { password: string } | { passkey: string }) => Promise<void>;

type Challenge = { code: "verification-required"; message: string; form: PostedForm; passkey: boolean; error?: string };

const proofs = ["prove-password", "prove-passkey"];

/**
 * Around the actions of the admin area: a form that brings a password, or a passkey's answer, is checked first and then done
 * without it; one for which that is missing is answered with the question, and with itself, so that nothing typed is lost.
 */
export function reauthentication({ verify, readForm }: { verify: VerifyAgain; readForm: ReadForm }, run: RouteFunction): RouteFunction {
  return async (args) => {
    const form = await readForm(args.request.clone()).catch(() => new FormData());
    try {
      return await run(proofs.some((name) => form.has(name)) ? await verifyAndStripProof(verify, args, form) : args);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const isWrong = error.field === "prove-password" || (error.code === "too-many" && form.has("prove-password"));
      if (error.code !== "verification-required" && !isWrong) throw error;
      const passkey = args.context.get(viewerContext)?.hasPasskey ?? false;
      const question = { form: await readPostedFormAgain(form, args, readForm), message: error.message, passkey };
      throw challenge(question, isWrong ? statusOf(error) : 403, isWrong);
    }
  };
}

function challenge(question: Pick<Challenge, "form" | "message" | "passkey">, status: number, isWrong: boolean) {
  return data<Challenge>({ code: "verification-required", ...question, ...(isWrong && { error: question.message }) }, { status });
}

async function verifyAndStripProof(verify: VerifyAgain, args: RouteArgs, form: FormData): Promise<RouteArgs> {
  const { context, request } = args;
  const [passkey, password] = [form.get("prove-passkey"), form.get("prove-password")];
  const proof = passkey ? { passkey: String(passkey) } : { password: String(password ?? "") };
  const viewer = context.get(viewerContext);
  await verify(context.get(siteContext), viewer, context.get(originContext), proof);
  if (viewer) context.set(viewerContext, { ...viewer, verified: true });
  for (const name of proofs) form.delete(name);
  const headers = new Headers(request.headers);
  for (const name of ["content-type", "content-length"]) headers.delete(name);
  return { ...args, request: new Request(request.url, { method: request.method, headers, body: form, signal: request.signal }) };
}

/** As a plain form sends it, wherever a script sent it from. */
async function readPostedFormAgain(form: FormData, { url }: RouteArgs, readForm: ReadForm): Promise<PostedForm> {
  for (const name of [...proofs, "scripted"]) form.delete(name);
  const asked = new URLSearchParams(url.search);
  asked.delete("_routes");
  const search = asked.size > 0 ? `?${asked}` : "";
  const body = new Request("http://kept.invalid", { method: "POST", body: form });
  return (
    (await readPostedForm(body, url.pathname.replace(/\.data$/, "") + search, readForm)) ?? {
      action: url.pathname,
      fields: [],
      hadFiles: false,
    }
  );
}
