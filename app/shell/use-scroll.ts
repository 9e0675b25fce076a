import { useSyncExternalStore } from "react";

/** What `read` says of how far the page is scrolled; without scripts `atFirst`. */
export function useScroll<Value>(read: () => Value, atFirst: Value): Value {
  return useSyncExternalStore(listen, read, () => atFirst);
}

function listen(changed: () => void): () => void {
  window.addEventListener("scroll", changed, { passive: true });
  window.addEventListener("resize", changed);
  // Pictures in the text make the page longer as they arrive.
  const sizes = new ResizeObserver(changed);
  sizes.observe(document.body);
  return () => {
    sizes.disconnect();
    window.removeEventListener("scroll", changed);
    window.removeEventListener("resize", changed);
  };
}
