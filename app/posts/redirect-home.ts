import { type DataStrategyResult, redirect } from "react-router";
import { isLost } from "#app/shell/closed.ts";

type Results = Record<string, DataStrategyResult>;

/**
 * In the browser: a story whose answer never arrives leads home (specification §8, Post detail load). One that is being read
 * and can't be reloaded stays; the router keeps the data of whatever has no result.
 */
export async function redirectHome({ request }: { request: Request }, next: () => Promise<Results>): Promise<Results> {
  const results = await next();
  if (request.method !== "GET" || request.signal.aborted) return results;
  const lost = Object.keys(results).filter((id) => results[id]?.type === "error" && isLost(results[id].result));
  if (lost.length === 0) return results;
  if (new URL(request.url).pathname !== window.location.pathname) throw redirect("/");
  return Object.fromEntries(Object.entries(results).filter(([id]) => !lost.includes(id)));
}
