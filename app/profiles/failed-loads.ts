import type { DataStrategyResult } from "react-router";

/** The name is the specification’s (§3, Client state). */
const name = "profileFailedAttempts";
const keptAttempts = 20;

export type FailedLoad = { id: string; time: number };

/** Notes in the browser that a profile could not be loaded, newest first. */
export function noteFailedLoad(id: string): void {
  try {
    const before: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    const all: FailedLoad[] = [{ id, time: Date.now() }, ...(Array.isArray(before) ? (before as FailedLoad[]) : [])];
    localStorage.setItem(name, JSON.stringify(all.slice(0, keptAttempts)));
  } catch {
    // A browser that keeps nothing, or kept something else: the page matters more.
  }
}

type Results = Record<string, DataStrategyResult>;
type LoaderRequest = { request: Request; params: { userId?: string | undefined } };

/** In the browser, around the loader of a page that shows a profile. */
export async function noteFailedLoads({ request, params }: LoaderRequest, next: () => Promise<Results>): Promise<Results> {
  const results = await next();
  const failed = Object.values(results).some(({ type, result }) => type === "error" && !(result instanceof Response));
  if (failed && request.method === "GET" && !request.signal.aborted) noteFailedLoad(params.userId ?? "own");
  return results;
}
