/** Milliseconds. A page in the background draws no frames. */
const longest = 100;

/** Does `work` when what stands on the page by now has been drawn, so that it doesn't hold the picture up. */
export function afterPaint(work: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    work();
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, longest);
}
