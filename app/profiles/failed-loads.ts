import type { DataStrategyResult } from "react-router";

/** Named in the specification (§3, Client state). */
const storageKey = "profileFailedAttempts";
const maxAttempts = 20;

type FailedLoad = { id: string; time: number };

/** Newest first. */
export function recordFailedLoad(id: string): void {
  try {
    const before: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    const all: FailedLoad[] = [{ id, time: Date.now() }, ...(Array.isArray(before) ? (before as FailedLoad[]) : [])];
    localStorage.setItem(storageKey, JSON.stringify(all.slice(0, maxAttempts)));
  } catch {
    // No storage, or not our value: not worth failing the page.
  }
}

type Results = Record<string, DataStrategyResult>;
type LoaderRequest = { request: Request; params: { userId?: string | undefined } };

export async function recordFailedLoads({ request, params }: LoaderRequest, next: () => Promise<Results>): Promise<Results> {
  const results = await next();
  const failed = Object.values(results).some(({ type, result }) => type === "error" && !(result instanceof Response));
  if (failed && request.method === "GET" && !request.signal.aborted) recordFailedLoad(params.userId ?? "own");
  return results;
}
