import { LoadError } from "#app/shell/preserve-screen.ts";
import { type BrowserError, browserErrorsPath, errorLimits } from "#domain/errors/tracked-error.ts";

/** Network failures, in each browser's words. */
const networkFailure = /failed to fetch|load failed|networkerror|importing a module script failed/i;
/** Per page load. */
const maxReports = 5;
const sent = new Set<string>();

/** Reports errors of the site's scripts, but no network failures and no errors of browser extensions. */
export function sendErrorReport(error: unknown): void {
  if (!(error instanceof Error) || error instanceof LoadError || error.name === "AbortError" || networkFailure.test(error.message)) return;
  const stack = error.stack ?? "";
  const message = `${error.name}: ${error.message}`.slice(0, errorLimits.message);
  if (!stack.includes(location.origin) || sent.has(message) || sent.size >= maxReports) return;
  sent.add(message);
  const report: BrowserError = {
    message,
    stack: stack.slice(0, errorLimits.stack),
    path: location.pathname.slice(0, errorLimits.path),
  };
  navigator.sendBeacon?.(browserErrorsPath, new Blob([JSON.stringify(report)], { type: "application/json" }));
}

export function reportUncaught(): void {
  addEventListener("error", (event) => sendErrorReport(event.error));
  addEventListener("unhandledrejection", (event) => sendErrorReport(event.reason));
}
