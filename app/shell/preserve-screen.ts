import { useEffect, useSyncExternalStore } from "react";
import { type DataStrategyResult, data, redirect, useLocation, useMatches } from "react-router";
import { closedOf, connectionLost, isNetworkFailure, limitMessage } from "./closed.ts";
import { type LoadFailure, loadFailure } from "./load-failures.ts";
import { showToast } from "./toasts.tsx";

type Results = Record<string, DataStrategyResult>;

/** In place of what a page could not load: what to say of it. */
export class LoadError extends Error {}

const nothing = { pathname: "", routes: new Set<string>() };
/** The screen that is open, and the routes of which it has data. */
let shown = nothing;
let failures = 0;
/** A form has just brought the person back to where it stood, with a toast. */
let cameBack = false;

export function useCurrentScreen(): void {
  const { pathname } = useLocation();
  const routes = useMatches();
  useEffect(() => {
    shown = { pathname, routes: new Set(routes.filter(({ loaderData }) => loaderData !== undefined).map(({ id }) => id)) };
    return () => {
      shown = nothing;
    };
  }, [pathname, routes]);
}

/** How often the open screen could not be loaded anew. */
export function countLoadFailures(): number {
  return failures;
}

/** The address of a part of the open screen, such as the next page of a list: where it can't be loaded it comes to `{ failed }`. */
export function partOf(address: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}part`;
}

export type FailedPart = { failed: string };

/**
 * In the browser, around everything that is loaded or sent: whatever is lost takes no screen away. What is open and can't be
 * loaded anew stays as it is; what was not there yet gets its frame and a text; a form stays where it stands.
 * The router keeps the data of whatever has no result.
 */
export async function preserveScreen({ request }: { request: Request }, next: () => Promise<Results>): Promise<Results> {
  const results = await next();
  if (request.signal.aborted) return results;
  const lost = Object.keys(results).filter((id) => results[id]?.type === "error" && isNetworkFailure(errorIn(results[id])));
  if (lost.length === 0) {
    if (request.method === "GET") cameBack = false;
    return inPlace(results, request);
  }
  const { pathname, search, searchParams } = new URL(request.url);
  if (request.method !== "GET") return afterSend(results, lost, pathname);
  const failure = loadFailure(pathname, search);
  if (searchParams.has("part"))
    return replaced(results, lost, { type: "data", result: { failed: failure.text ?? connectionLost } satisfies FailedPart });
  return afterLoad(results, lost, pathname, failure);
}

/** What is around the pages of an area stays also when one goes from page to page. */
const layouts = ["admin/shell/admin-layout", "messages/messages-page"];

function afterLoad(results: Results, lost: string[], pathname: string, failure: LoadFailure): Results {
  const stays = pathname === shown.pathname;
  const dropped = lost.filter((id) => id === "root" || (shown.routes.has(id) && (stays || layouts.includes(id))));
  const keptResults = Object.fromEntries(Object.entries(results).filter(([id]) => !dropped.includes(id)));
  const missing = lost.filter((id) => !dropped.includes(id));
  const closed = missing.some((id) => closedOf(errorIn(results[id])));
  if (closed) return results;
  if (missing.length > 0 && failure.instead) return replaced(keptResults, missing, { type: "error", result: redirect(failure.instead) });
  if (missing.length === 0) failures++;
  if (!cameBack && (missing.length === 0 ? !failure.silent : failure.toast)) showLoadFailure(failure);
  cameBack = false;
  return replaced(keptResults, missing, { type: "error", result: new LoadError(failure.text) });
}

/** Of one page it is said once at a time. */
export function showLoadFailure({ text }: LoadFailure): void {
  showToast({ tone: "error", text: text ?? connectionLost, id: "load-failure" });
}

/** For routes that have no `clientAction` with an answer of their own. */
function afterSend(results: Results, lost: string[], pathname: string): Results {
  const error = errorIn(results[lost[0] ?? ""]);
  const text = awaited.get(pathname) ?? limitMessage(error) ?? closedOf(error)?.message ?? connectionLost;
  showToast({ tone: "error", text });
  failed = new Map(failed).set(pathname, text);
  for (const listener of listeners) listener();
  // With a success the page's data would be reloaded, over the same lost connection.
  if (pathname === window.location.pathname) return replaced(results, lost, { type: "data", result: data(undefined, { status: 503 }) });
  cameBack = true;
  const here = window.location.pathname + window.location.search;
  return inPlace(replaced(results, lost, { type: "error", result: redirect(here) }));
}

/**
 * A redirect to where one is adds no step to the browser's history, whoever sent the form. Nor does one away from a page
 * that was gone back to: that page would lead back here for ever.
 */
function inPlace(results: Results, request?: Request): Results {
  const here = window.location.pathname + window.location.search;
  const asked = request?.method === "GET" ? new URL(request.url) : undefined;
  const isHere = asked && asked.pathname + asked.search === here;
  for (const { result } of Object.values(results))
    if (result instanceof Response && (isHere || result.headers.get("location") === here)) result.headers.set("x-remix-replace", "true");
  return results;
}

/** The router wraps what an action threw, unless it is an answer. */
function errorIn(result: DataStrategyResult | undefined): unknown {
  const answer = result?.result as { type?: unknown; data?: unknown } | undefined;
  return answer?.type === "DataWithResponseInit" ? answer.data : answer;
}

function replaced(results: Results, ids: string[], result: DataStrategyResult): Results {
  return { ...results, ...Object.fromEntries(ids.map((id) => [id, result])) };
}

const awaited = new Map<string, string>();
let failed: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

/** Called when a form is sent to `pathname`: says what to say when its answer is lost. */
export function awaitAnswer(pathname: string, text: string | undefined): void {
  if (text) awaited.set(pathname, text);
  else awaited.delete(pathname);
  if (!failed.has(pathname)) return;
  failed = new Map([...failed].filter(([path]) => path !== pathname));
  for (const listener of listeners) listener();
}

/** By the address that a form was sent to: what was said when its answer was lost. */
export function useNetworkFailures(): ReadonlyMap<string, string> {
  return useSyncExternalStore(
    listen,
    () => failed,
    () => failed,
  );
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
