import { data, redirect, type ServerBuild } from "react-router";
import { closedContext, retryAfterContext, siteContext, viewerContext } from "#app/context.ts";
import { may } from "#domain/permissions.ts";
import { isRefusal, type Refusal, statusOf } from "#domain/refusals.ts";
import { type ClosedAnswer, type ReadForm, readPostedForm, unavailable } from "./closed.ts";
import { redirectWithToast } from "./flash.ts";
import { cameFrom, localPath } from "./local-path.ts";
import { reauthentication, type VerifyAgain } from "./verify-again.ts";
import type { RouteArgs, RouteFunction } from "./route-function.ts";

type Args = RouteArgs;
/** Whether a fault is only that the database can't be used at the moment. */
type IsOutage = (error: unknown) => boolean;

/**
 * Lets every loader and action simply throw refusals. React Router would take them for faults and hide them, and its middleware is not told
 * of them; so what a verb throws is translated where it leaves the route, an outage of the database as well.
 */
export function translateRefusals(
  build: ServerBuild,
  isOutage: IsOutage = () => false,
  { readForm, verify }: { readForm?: ReadForm; verify?: VerifyAgain } = {},
): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const isAdmin = id.startsWith("admin/");
    const guard = isAdmin ? forStaff : (run: RouteFunction) => run;
    const prove = (run: RouteFunction) => (isAdmin && verify && readForm ? reauthentication({ verify, readForm }, run) : run);
    const module = {
      ...route.module,
      // The root says itself that the site is closed: the page needs its name and theme for that.
      ...(loader && { loader: translated(id === "root" ? loader : whenOpen(guard(loader)), isOutage) }),
      ...(action && { action: keepingWhatWasTyped(translated(whenOpen(guard(prove(action))), isOutage), readForm) }),
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
      if (isRefusal(error)) throw answerTo(error, args);
      if (!isOutage(error)) throw error;
      args.context.get(siteContext).log.error({ err: error, path: args.url.pathname }, "the database can't be used");
      throw closedAnswer(unavailable, args);
    }
  };
}

function whenOpen(run: RouteFunction): RouteFunction {
  return (args) => {
    const closed = args.context.get(closedContext);
    if (closed) throw closedAnswer(closed, args);
    return run(args);
  };
}

const secondStepNeeded = "Staff need a second step on this site. Set up an authenticator app or a passkey first.";

/** Nobody else learns what is there: they are led home, also from its data and forms. The verbs ask again. */
function forStaff(run: RouteFunction): RouteFunction {
  return (args) => {
    const viewer = args.context.get(viewerContext);
    if (viewer?.awaitsSecondStep) throw redirectWithToast("/account", { tone: "info", text: secondStepNeeded });
    if (!may(viewer, "enter the admin area")) throw redirect("/");
    return run(args);
  };
}

function closedAnswer(closed: ClosedAnswer, { context }: Args) {
  return data<ClosedAnswer>(
    { siteName: context.get(siteContext).settings.siteName, ...closed },
    { status: 503, statusText: "Service Unavailable" },
  );
}

/** A form that a browser without JavaScript posts is gone with its page: the answer to a closed site brings it along. */
function keepingWhatWasTyped(run: RouteFunction, readForm?: ReadForm): RouteFunction {
  if (!readForm) return run;
  return async (args) => {
    const copy = isPlainForm(args.request) ? args.request.clone() : undefined;
    try {
      return await run(args);
    } catch (error) {
      const closed = closedIn(error);
      if (!closed || !copy) throw error;
      const form = await readPostedForm(copy, args.url.pathname + args.url.search, readForm);
      throw closedAnswer({ ...closed, ...(form && { form }) }, args);
    }
  };
}

const maxFormBytes = 33 * 1024 * 1024;

function isPlainForm({ url, headers }: Request): boolean {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return !new URL(url).pathname.endsWith(".data") && length <= maxFormBytes;
}

function closedIn(error: unknown): ClosedAnswer | undefined {
  const { data: body, init } = error as { data?: ClosedAnswer; init?: ResponseInit };
  return init?.status === 503 ? body : undefined;
}

/** The answer to a refusal that no screen took care of: to the login screen, or an error page with its own status. */
function answerTo(refusal: Refusal, { request, url, context }: Args) {
  if (refusal.code === "sign-in-required") {
    // A form's own address shows nothing; the person goes back to where it stood.
    const from = request.method === "GET" ? url.pathname + url.search : cameFrom(request, context.get(siteContext).url);
    return redirect(loginPath(from));
  }
  if (refusal.code === "verification-required" && request.method === "GET")
    return redirect(`/admin/verify?then=${encodeURIComponent(localPath(url.pathname + url.search))}`);
  const { code, message } = refusal;
  if (refusal.retryAfterSeconds !== undefined) context.set(retryAfterContext, refusal.retryAfterSeconds);
  return data({ code, message }, { status: statusOf(refusal) });
}

/** The login screen that leads on to `then`. */
export function loginPath(then: string): string {
  return then === "/" ? "/login" : `/login?then=${encodeURIComponent(localPath(then))}`;
}

/**
 * What a form's action answers where a verb refuses, with what was typed; its status is the refusal's. @param elsewhere codes that the form
 * says nothing about. @throws those, and what is no refusal.
 */
export function answerForm<Answer>(error: unknown, answer: (refusal: Refusal) => Answer, elsewhere: Refusal["code"][] = []) {
  const refusal = refusalOf(error);
  if (elsewhere.includes(refusal.code)) throw error;
  return data(answer(refusal), { status: statusOf(refusal) });
}

export function refusalOf(error: unknown): Refusal {
  if (isRefusal(error) && error.code !== "verification-required") return error;
  throw error;
}
