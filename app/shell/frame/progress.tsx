import { useEffect, useState } from "react";
import { matchPath, useLocation, useNavigation } from "react-router";

/** A thin line at the top while the next page loads; fast responses never show it. Screen readers hear what loads and which page opened. */
export function NavigationProgress() {
  const { state, location } = useNavigation();
  const text = location && matchPath("/post/:slug", location.pathname) ? "Loading article..." : "";
  const title = useOpenedPage();
  return (
    <>
      {state !== "idle" && (
        <div aria-hidden className="pointer-events-none fixed inset-x-0 top-0 z-(--z-progress) h-[3px]">
          <div className="navigation-progress h-full bg-accent" />
        </div>
      )}
      <div role="status" className="pointer-events-none fixed inset-x-0 top-20 z-(--z-toast) flex justify-center">
        {text ? (
          <span className="animate-rise rounded-full border border-line bg-overlay px-4 py-2 text-base text-ink-2 shadow-lg [animation-delay:300ms] [animation-fill-mode:both]">
            {text}
          </span>
        ) : (
          <span className="sr-only">{title}</span>
        )}
      </div>
    </>
  );
}

/** Outlives the frame, as error pages have another. */
let openedPath: string | undefined;

/** The title of a page opened without loading a document, which tells screen readers nothing. If the focus went with the previous page, moves it. */
function useOpenedPage(): string {
  const { pathname } = useLocation();
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (openedPath && openedPath !== pathname) {
      setTitle(document.title);
      if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
    }
    openedPath = pathname;
  }, [pathname]);
  return title;
}
