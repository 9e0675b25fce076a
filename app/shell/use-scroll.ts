import { useSyncExternalStore } from "react";

/** Returns `read()`, again after each scroll and resize; `initial` until hydration. */
export function useScroll<Value>(read: () => Value, initial: Value): Value {
  return useSyncExternalStore(listen, read, () => initial);
}

function listen(changed: () => void): () => void {
  window.addEventListener("scroll", changed, { passive: true });
  window.addEventListener("resize", changed);
  // Pictures make the page longer when they load.
  const sizes = new ResizeObserver(changed);
  sizes.observe(document.body);
  return () => {
    sizes.disconnect();
    window.removeEventListener("scroll", changed);
    window.removeEventListener("resize", changed);
  };
}
