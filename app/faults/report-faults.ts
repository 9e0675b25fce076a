import { LoadError } from "#app/shell/preserve-screen.ts";
import { type BrowserFault, browserFaultsPath, faultLimits } from "#domain/faults/fault.ts";

/** Network failures, in each browser's words. */
const networkFailure = /failed to fetch|load failed|networkerror|importing a module script failed/i;
/** Per page load. */
const maxReports = 5;
const sent = new Set<string>();

/** Reports errors of the site's scripts, but no network failures and no errors of browser extensions. */
export function reportFault(error: unknown): void {
  if (!(error instanceof Error) || error instanceof LoadError || error.name === "AbortError" || networkFailure.test(error.message)) return;
  const stack = error.stack ?? "";
  const message = `${error.name}: ${error.message}`.slice(0, faultLimits.message);
  if (!stack.includes(location.origin) || sent.has(message) || sent.size >= maxReports) return;
  sent.add(message);
  const fault: BrowserFault = {
    message,
    stack: stack.slice(0, faultLimits.stack),
    path: location.pathname.slice(0, faultLimits.path),
  };
  navigator.sendBeacon?.(browserFaultsPath, new Blob([JSON.stringify(fault)], { type: "application/json" }));
}

export function reportUncaught(): void {
  addEventListener("error", (event) => reportFault(event.error));
  addEventListener("unhandledrejection", (event) => reportFault(event.reason));
}
