/** Dialogs and menus return the focus by themselves, just after they have gone. */
const returnMs = 100;

let isWatching = false;

/** Part of the code that loads when the page is idle, so that the first visit loads less. */
export function watchFocus(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener("click", jump);
  keepFocus();
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

/**
 * When the element with the focus is removed, such as the button of a deleted row, moves the focus to what is next to it. Otherwise screen
 * readers would continue at the top of the document.
 */
function keepFocus(): void {
  let focused: EventTarget | null = document.activeElement;
  document.addEventListener("focusin", ({ target }) => {
    focused = target;
  });
  new MutationObserver((records) => {
    if (!(focused instanceof Node) || focused.isConnected) return;
    const lost = focused;
    focused = null;
    const removal = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(lost)));
    if (removal) setTimeout(() => focusNear(removal), returnMs);
  }).observe(document.body, { childList: true, subtree: true });
}

function focusNear({ nextSibling, previousSibling, target }: MutationRecord): void {
  const main = document.getElementById("main");
  for (const near of [nextSibling, previousSibling, target, main]) {
    if (document.activeElement !== document.body) return;
    if (near instanceof HTMLElement && main?.contains(near)) focusOn(near);
  }
}

/** Focuses elements outside the Tab order too. */
function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
