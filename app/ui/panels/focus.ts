let isWatching = false;

/** Part of the code that loads when the page is idle, so that the first visit loads less. */
export function watchFocus(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener("click", jump);
}

/** Follows Skip to content and Back to top without a history entry: the router may take one for a page to load, and Back would pass it. */
function jump(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href="#main"], a[href="#top"]');
  const target = link && document.querySelector<HTMLElement>(link.hash);
  if (!target) return;
  event.preventDefault();
  target.scrollIntoView();
  focusOn(target);
}

/** Also on what isn't in the Tab order. */
function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
