/** Does `work` when the browser has nothing else to do; where it can't tell, soon. */
export function whenIdle(work: () => void): void {
  // Safari has no idle callbacks.
  (window.requestIdleCallback ?? setTimeout)(() => work());
}
