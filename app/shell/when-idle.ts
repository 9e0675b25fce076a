/** Runs `work` when the browser is idle. */
export function whenIdle(work: () => void): void {
  // Safari has no requestIdleCallback.
  (window.requestIdleCallback ?? setTimeout)(() => work());
}
