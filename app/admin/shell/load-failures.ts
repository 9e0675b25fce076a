import { useEffect } from "react";
import { type DataStrategyResult, isRouteErrorResponse, useLocation } from "react-router";
import { isLost } from "#app/shell/closed.ts";
import { showToast } from "#app/shell/toasts.tsx";

/** The specification's, to the letter (messaging and administration §8); those of pages that it doesn't have are ours. */
const texts: [path: string, text: string][] = [
  ["/admin/posts", "Failed to load posts"],
  ["/admin/users", "Failed to load users"],
  ["/admin/messages", "Failed to load messages"],
  ["/admin/analytics", "Failed to load analytics"],
  ["/admin/reports/rules", "Failed to load rules"],
  ["/admin/reports", "Failed to load reports"],
  ["/admin/database", "Failed to load database"],
  ["/admin/settings/pages", "Failed to load pages"],
  ["/admin/settings", "Failed to load settings"],
  ["/admin/audit", "Failed to load audit log"],
];

/** What is said when a page of the admin area can't be loaded, or reloaded. */
export function loadFailure(pathname: string): string {
  return texts.find(([path]) => `${pathname}/`.startsWith(`${path}/`))?.[1] ?? "Failed to load dashboard data";
}

/** Whether it is the way to the server, or the server, that failed, and not that it said no. */
export function isLoadFailure(error: unknown): boolean {
  return isLost(error) || (isRouteErrorResponse(error) && error.status >= 500);
}

/** Of one page it is said once at a time. */
export function tellLoadFailure(pathname: string): void {
  showToast({ tone: "error", text: loadFailure(pathname), id: "load-failure" });
}

let shown: string | undefined;
let failures = 0;

export function countFailures(): number {
  return failures;
}

export function useShownPage(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    shown = pathname;
    return () => {
      shown = undefined;
    };
  }, [pathname]);
}

const around = ["root", "admin/shell/admin-layout"];

/**
 * In the browser, around everything that the area loads: a page that can't be reloaded (refreshed by hand, by itself, by
 * an event or after a form; narrowed or turned) stays as it is, with a toast. Of one that was not there yet, what stands
 * around it stays. The router keeps the data of whatever has no result.
 */
export async function keepWhatIsShown(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<Record<string, DataStrategyResult>> {
  const results = await next();
  if (request.method !== "GET" || request.signal.aborted) return results;
  const { pathname } = new URL(request.url);
  const failed = Object.keys(results).filter((id) => results[id]?.type === "error" && isLoadFailure(results[id].result));
  if (failed.length === 0) return results;
  const stays = pathname === shown;
  if (stays) {
    failures++;
    tellLoadFailure(pathname);
  }
  const dropped = stays ? failed : failed.filter((id) => around.includes(id));
  return Object.fromEntries(Object.entries(results).filter(([id]) => !dropped.includes(id)));
}
