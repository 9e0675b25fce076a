import { data, redirect, type ServerBuild } from "react-router";
import { closedContext, retryAfterContext, siteContext, viewerContext } from "#app/context.ts";
import { may } from "#domain/permissions.ts";
import { isRefusal, type Refusal, statusOf } from "#domain/refusals.ts";
import { type ClosedResponse, type ReadForm, readPostedForm, unavailable } from "./closed.ts";
import { redirectWithToast } from "./flash.ts";
import { localPath, refererPath } from "./local-path.ts";
import { type Reauthenticate, reauthentication } from "./reauthentication.ts";
import type { RouteArgs, RouteFunction } from "./route-function.ts";

type Args = RouteArgs;
/** Whether an error means that the database is temporarily unavailable. */
type IsOutage = (error: unknown) => boolean;

/**
 * Translates refusals and database outages thrown by loaders and actions into responses. Done per route, as React Router would report them as
 * program errors, and its middleware doesn't see them.
 */
export function translateRefusals(
  build: ServerBuild,
  isOutage: IsOutage = () => false,
  { readForm, reauthenticate }: { readForm?: ReadForm; reauthenticate?: Reauthenticate } = {},
): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const isAdmin = id.startsWith("admin/");
    const guard = isAdmin ? requireStaff : (run: RouteFunction) => run;
    const askAgain = (run: RouteFunction) =>
      isAdmin && reauthenticate && readForm ? reauthentication({ reauthenticate, readForm }, run) : run;
    const module = {
      ...route.module,
      // The root's loader also runs while the site is closed: the page needs its name and theme.
      ...(loader && { loader: translated(id === "root" ? loader : requireOpen(guard(loader)), isOutage) }),
      ...(action && { action: preserveForm(translated(requireOpen(guard(askAgain(action))), isOutage), readForm) }),
    };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function translated(run: RouteFunction, isOutage: IsOutage): RouteFunction {
  return async (args) => {
    try {
      return await run(args);
    } catch (error) {
      if (isRefusal(error)) throw toResponse(error, args);
      if (!isOutage(error)) throw error;
      args.context.get(siteContext).log.error({ err: error, path: args.url.pathname }, "the database is unavailable");
      throw closedResponse(unavailable, args);
    }
  };
}

function requireOpen(run: RouteFunction): RouteFunction {
  return (args) => {
    const closed = args.context.get(closedContext);
    if (closed) throw closedResponse(closed, args);
    return run(args);
  };
}

const secondStepNeeded = "Staff need two-step verification on this site. Set up an authenticator app or a passkey first.";

/** Redirects everyone else home, so that nothing reveals which pages exist. The verbs check permissions again. */
function requireStaff(run: RouteFunction): RouteFunction {
  return (args) => {
    const viewer = args.context.get(viewerContext);
    if (viewer?.awaitsSecondStep) throw redirectWithToast("/account", { tone: "info", text: secondStepNeeded });
    if (!may(viewer, "enter the admin area")) throw redirect("/");
    return run(args);
  };
}

function closedResponse(closed: ClosedResponse, { context }: Args) {
  const status =
    closed.code === "signed-out" ? { status: 401, statusText: signInRequired } : { status: 503, statusText: "Service Unavailable" };
  return data<ClosedResponse>({ siteName: context.get(siteContext).settings.siteName, ...closed }, status);
}

const signedOut: ClosedResponse = {
  code: "signed-out",
  title: "You’re signed out",
  message: "Please sign in again in a new tab. Then come back here and choose Try Again to send what you typed.",
};

/**
 * Without JavaScript a posted form is lost with its page, so the page of a closed site contains it. So does a page in place of the login
 * screen, if something was written.
 */
function preserveForm(run: RouteFunction, readForm?: ReadForm): RouteFunction {
  if (!readForm) return run;
  return async (args) => {
    if (new URL(args.request.url).pathname.endsWith(".data")) return run(args);
    const { closed, settle } = await outcomeOf(run, args);
    if (!closed) return settle();
    const form = await readPostedForm(args.request, args.url.pathname + args.url.search, readForm);
    if (closed === signedOut && !form?.fields.some(isWritten)) return settle();
    throw closedResponse({ ...closed, ...(form && { form }) }, args);
  };
}

async function outcomeOf(run: RouteFunction, args: Args): Promise<{ closed: ClosedResponse | undefined; settle: () => unknown }> {
  try {
    const result = await run(args);
    // The page's loader would lead to the login screen.
    return { closed: requiresSignIn(result) ? signedOut : undefined, settle: () => result };
  } catch (error) {
    const rethrow = () => {
      throw error;
    };
    return { closed: closedIn(error) ?? (leadsToLogin(error) ? signedOut : undefined), settle: rethrow };
  }
}

function closedIn(error: unknown): ClosedResponse | undefined {
  const { data: body, init } = error as { data?: ClosedResponse; init?: ResponseInit };
  return init?.status === 503 ? body : undefined;
}

function requiresSignIn(result: unknown): boolean {
  const { init } = Object(result) as { init?: ResponseInit | null };
  return init?.statusText === signInRequired;
}

function leadsToLogin(error: unknown): boolean {
  return error instanceof Response && /^\/login(?:\?|$)/.test(error.headers.get("location") ?? "");
}

/** Names of text areas. No secret or id has one of them, so a single word counts as written. */
export const textNames = [
  ...["title", "content", "text", "note", "bio", "reason", "answer", "message", "lead", "introduction", "csv"],
  ...["siteDescription", "maintenanceMessage", "landingIntro", "landingCommunity"],
];

/** Ids, choices and addresses have no blanks and no other letters. */
function isWritten([name, value]: [name: string, value: string]): boolean {
  return (textNames.includes(name) && value !== "") || !/^[\w.@:/?&=%#+~,;-]*$/.test(value);
}

/** The answer to a refusal that no route handled: a redirect to the login screen, or an error page with the refusal's status. */
function toResponse(refusal: Refusal, { request, url, context }: Args) {
  if (refusal.code === "sign-in-required") {
    // The URL of an action has no page, so the login returns to the page with the form.
    const from = request.method === "GET" ? url.pathname + url.search : refererPath(request, context.get(siteContext).url);
    return redirect(loginPath(from));
  }
  if (refusal.code === "reauthentication-required" && request.method === "GET")
    return redirect(`/admin/verify?then=${encodeURIComponent(localPath(url.pathname + url.search))}`);
  const { code, message } = refusal;
  if (refusal.retryAfterSeconds !== undefined) context.set(retryAfterContext, refusal.retryAfterSeconds);
  return data({ code, message }, { status: statusOf(refusal) });
}

/** The login screen, which redirects to `then`. */
export function loginPath(then: string): string {
  return then === "/" ? "/login" : `/login?then=${encodeURIComponent(localPath(then))}`;
}

/** Marks answers to forms that need a session, unlike those to a wrong password. */
const signInRequired = "Sign-In Required";

/**
 * A form's answer to a refusal, with the refusal's status. @param elsewhere codes that the form doesn't handle. @throws those, and errors that
 * are no refusals.
 */
export function respondToForm<Result>(error: unknown, toResult: (refusal: Refusal) => Result, elsewhere: Refusal["code"][] = []) {
  const refusal = refusalOf(error);
  if (elsewhere.includes(refusal.code)) throw error;
  return data(toResult(refusal), { status: statusOf(refusal), ...(refusal.code === "sign-in-required" && { statusText: signInRequired }) });
}

export function refusalOf(error: unknown): Refusal {
  if (isRefusal(error) && error.code !== "reauthentication-required") return error;
  throw error;
}
