/** Milliseconds, for a page that stops being drawn meanwhile. */
const paintTimeoutMs = 100;

/** Does `work` when what is on the page by now has been drawn, so that it doesn't hold the picture up. */
export function afterPaint(work: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    work();
  };
  // A page that nobody sees has no frames, and timers that may take a minute.
  if (document.hidden) once();
  else requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, paintTimeoutMs);
}
