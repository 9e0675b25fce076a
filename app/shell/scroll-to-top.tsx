import { IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ArrowUp } from "#app/ui/icons.tsx";
import { useScroll } from "./use-scroll.ts";

/** Shown below `afterPx`, by default the height of the window. */
export function ScrollToTop({ afterPx, className = "bottom-5" }: { afterPx?: number; className?: string }) {
  const isFar = useScroll(() => window.scrollY > (afterPx ?? window.innerHeight), false);
  if (!isFar) return null;
  return (
    <IconButton
      label="Scroll to top"
      icon={ArrowUp}
      variant="secondary"
      onClick={scrollUp}
      className={classNames("fixed right-5 z-(--z-fab) rounded-full! shadow-md", className)}
    />
  );
}

function scrollUp(): void {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: 0, behavior: still ? "instant" : "smooth" });
}
