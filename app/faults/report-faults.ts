import { LoadError } from "#app/shell/preserve-screen.ts";
import { type BrowserFault, browserFaultsPath, faultLimits } from "#domain/faults/fault.ts";

/** Those of a connection, in the words of each browser. */
const lost = /failed to fetch|load failed|networkerror|importing a module script failed/i;
/** From one page; whatever goes wrong more often tells nothing new. */
const maxReports = 5;
const sent = new Set<string>();

/** Tells the site of an error of its own scripts; not of a lost connection, nor of what the reader's extensions do. */
export function reportFault(error: unknown): void {
  if (!(error instanceof Error) || error instanceof LoadError || error.name === "AbortError" || lost.test(error.message)) return;
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

/** What no part of the program caught. */
export function reportUncaught(): void {
  addEventListener("error", (event) => reportFault(event.error));
  addEventListener("unhandledrejection", (event) => reportFault(event.reason));
}
