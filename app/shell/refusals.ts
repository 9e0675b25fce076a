import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, type ServerBuild } from "react-router";
import { siteContext } from "#app/context.ts";
import { isRefusal, type Refusal, statusOf } from "#domain/refusals.ts";
import { cameFrom, localPath } from "./local-path.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;
type RouteFunction = (args: Args) => unknown;

/**
 * Lets every loader and action simply throw refusals. React Router would take them for faults and hide them, and its
 * middleware is not told of them; so what a verb throws is translated where it leaves the route.
 */
export function translateRefusals(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = { ...route.module, ...(loader && { loader: translated(loader) }), ...(action && { action: translated(action) }) };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function translated(run: RouteFunction): RouteFunction {
  return async (args) => {
    try {
      return await run(args);
    } catch (error) {
      throw isRefusal(error) ? answerTo(error, args) : error;
    }
  };
}

/** The answer to a refusal that no screen took care of: to the login screen, or an error page with its own status. */
function answerTo(refusal: Refusal, { request, url, context }: Args) {
  if (refusal.code === "sign-in-first") {
    // A form's own address shows nothing; the person goes back to where it stood.
    const from = request.method === "GET" ? url.pathname + url.search : cameFrom(request, context.get(siteContext).url);
    return redirect(loginPath(from));
  }
  const { code, message } = refusal;
  return data({ code, message }, { status: statusOf(refusal), statusText: message });
}

/** The login screen that leads on to `then`. */
export function loginPath(then: string): string {
  return then === "/" ? "/login" : `/login?then=${encodeURIComponent(localPath(then))}`;
}

/** For screens that answer a refusal themselves: the refusal, while any other error flies on. */
export function refusalOf(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  throw error;
}
