import { matchPath, useNavigation } from "react-router";

/** A thin line at the top while the next page loads; fast responses never show it. */
export function NavigationProgress() {
  const { state, location } = useNavigation();
  const text = location && matchPath("/post/:slug", location.pathname) ? "Loading article..." : "";
  return (
    <>
      {state !== "idle" && (
        <div aria-hidden className="pointer-events-none fixed inset-x-0 top-0 z-(--z-progress) h-[3px]">
          <div className="navigation-progress h-full bg-accent" />
        </div>
      )}
      <div role="status" className="pointer-events-none fixed inset-x-0 top-20 z-(--z-toast) flex justify-center">
        {text && (
          <span className="animate-rise rounded-full border border-line bg-overlay px-4 py-2 text-base text-ink-2 shadow-lg [animation-delay:300ms] [animation-fill-mode:both]">
            {text}
          </span>
        )}
      </div>
    </>
  );
}
