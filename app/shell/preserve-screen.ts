import { useEffect, useSyncExternalStore } from "react";
import { type DataStrategyResult, data, redirect, useLocation, useMatches } from "react-router";
import { Listeners } from "#app/browser/listeners.ts";
import { closedOf, connectionLost, isRequestFailure, limitMessage } from "./closed.ts";
import { type LoadFailure, loadFailure } from "./load-failure-texts.ts";
import { showToast } from "./toasts.tsx";

type Results = Record<string, DataStrategyResult>;

/** Replaces the data of a route that could not be loaded; the message is shown in its place. */
export class LoadError extends Error {}

const noScreen = { pathname: "", routes: new Set<string>() };
/** The open screen and the routes that have data. */
let current = noScreen;
let failures = 0;
/** A failed form has just redirected to its own page and shown a toast. */
let returnedFromForm = false;

export function useCurrentScreen(): void {
  const { pathname } = useLocation();
  const routes = useMatches();
  useEffect(() => {
    current = { pathname, routes: new Set(routes.filter(({ loaderData }) => loaderData !== undefined).map(({ id }) => id)) };
    return () => {
      current = noScreen;
    };
  }, [pathname, routes]);
}

/** How often the open screen could not be reloaded. */
export function countLoadFailures(): number {
  return failures;
}

/** The URL of a part of the open screen, such as the next page of a list. If it can't be loaded, its data is `{ failed }`. */
export function partOf(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}part`;
}

export type FailedPart = { failed: string };

/**
 * Wraps every load and submission in the browser, so that a request failure never replaces the open screen. A page that can't be reloaded
 * stays as it is, a new page shows its frame and an error, a form stays on its page. The router keeps the data of routes without a result.
 */
export async function preserveScreen({ request }: { request: Request }, next: () => Promise<Results>): Promise<Results> {
  const results = await next();
  if (request.signal.aborted) return results;
  const lost = Object.keys(results).filter((id) => results[id]?.type === "error" && isRequestFailure(errorIn(results[id])));
  if (lost.length === 0) {
    if (request.method === "GET") returnedFromForm = false;
    return replaceHistoryEntry(results, request);
  }
  const { pathname, search, searchParams } = new URL(request.url);
  if (request.method !== "GET") return afterSend(results, lost, pathname);
  const failure = loadFailure(pathname, search);
  if (searchParams.has("part"))
    return replaced(results, lost, { type: "data", result: { failed: failure.text ?? connectionLost } satisfies FailedPart });
  return afterLoad(results, lost, pathname, failure);
}

/** Layouts that stay while navigating between the pages of an area. */
const layouts = ["admin/shell/admin-layout", "messages/messages-page"];

function afterLoad(results: Results, lost: string[], pathname: string, failure: LoadFailure): Results {
  const isReload = pathname === current.pathname;
  const dropped = lost.filter((id) => id === "root" || (current.routes.has(id) && (isReload || layouts.includes(id))));
  const keptResults = Object.fromEntries(Object.entries(results).filter(([id]) => !dropped.includes(id)));
  const missing = lost.filter((id) => !dropped.includes(id));
  const closed = missing.some((id) => closedOf(errorIn(results[id])));
  if (closed) return results;
  if (missing.length > 0 && failure.redirectTo)
    return replaced(keptResults, missing, { type: "error", result: redirect(failure.redirectTo) });
  if (missing.length === 0) failures++;
  if (!returnedFromForm && (missing.length === 0 ? !failure.silent : failure.toast)) showLoadFailure(failure);
  returnedFromForm = false;
  return replaced(keptResults, missing, { type: "error", result: new LoadError(failure.text) });
}

/** Shows one toast at a time. */
export function showLoadFailure({ text }: LoadFailure): void {
  showToast({ tone: "error", text: text ?? connectionLost, id: "load-failure" });
}

/** For routes whose `clientAction` doesn't handle request failures. */
function afterSend(results: Results, lost: string[], pathname: string): Results {
  const error = errorIn(results[lost[0] ?? ""]);
  const text = failureTexts.get(pathname) ?? limitMessage(error) ?? closedOf(error)?.message ?? connectionLost;
  showToast({ tone: "error", text });
  failed = new Map(failed).set(pathname, text);
  changes.notify();
  // A success status would make the router reload the page's data over the same lost connection.
  if (pathname === window.location.pathname) return replaced(results, lost, { type: "data", result: data(undefined, { status: 503 }) });
  returnedFromForm = true;
  const here = window.location.pathname + window.location.search;
  return replaceHistoryEntry(replaced(results, lost, { type: "error", result: redirect(here) }));
}

/**
 * A redirect to the current address adds no history entry. Neither does one from it: after going back to a page that redirects, Back would
 * lead here forever.
 */
function replaceHistoryEntry(results: Results, request?: Request): Results {
  const here = window.location.pathname + window.location.search;
  const loaded = request?.method === "GET" ? new URL(request.url) : undefined;
  const isHere = loaded && loaded.pathname + loaded.search === here;
  for (const { result } of Object.values(results))
    if (result instanceof Response && (isHere || result.headers.get("location") === here)) result.headers.set("x-remix-replace", "true");
  return results;
}

/** Unwraps the router's wrapper of thrown `data()`. */
function errorIn(result: DataStrategyResult | undefined): unknown {
  const loaded = result?.result as { type?: unknown; data?: unknown } | undefined;
  return loaded?.type === "DataWithResponseInit" ? loaded.data : loaded;
}

function replaced(results: Results, ids: string[], result: DataStrategyResult): Results {
  return { ...results, ...Object.fromEntries(ids.map((id) => [id, result])) };
}

const failureTexts = new Map<string, string>();
let failed: ReadonlyMap<string, string> = new Map();
const changes = new Listeners();

/** Call it when a form is sent to `pathname`; `text` is shown after a request failure. */
export function setFailureText(pathname: string, text: string | undefined): void {
  if (text) failureTexts.set(pathname, text);
  else failureTexts.delete(pathname);
  if (!failed.has(pathname)) return;
  failed = new Map([...failed].filter(([path]) => path !== pathname));
  changes.notify();
}

/** The shown error by the path that a form was sent to. */
export function useRequestFailures(): ReadonlyMap<string, string> {
  return useSyncExternalStore(
    changes.add,
    () => failed,
    () => failed,
  );
}
