import { useEffect, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { useSlow } from "#app/shell/use-slow.ts";
import { column } from "#app/ui/panel.tsx";
import { CardSkeletons, Skeleton } from "#app/ui/skeleton.tsx";

/** Headings of the lists. */
const titles: Record<string, string | null> = { "/": null, "/all-posts": "All Stories" };

/** Covers the previous screen while a list of stories loads slowly. The screen below stays rendered and keeps its scroll position. */
export function ListSkeleton() {
  const { state, location } = useNavigation();
  const { pathname } = useLocation();
  const target = location?.pathname ?? "";
  const slow = useSlow(state === "loading" && target !== pathname && Object.hasOwn(titles, target));
  const [top, setTop] = useState(0);
  useEffect(() => {
    if (slow) setTop(Math.max(0, document.getElementById("main")?.getBoundingClientRect().top ?? 0));
  }, [slow]);
  if (!slow) return null;
  return (
    <div aria-busy className="fixed inset-x-0 bottom-0 z-(--z-sticky) overflow-hidden bg-paper" style={{ top }}>
      <div className={`${column} pt-8 lg:pt-12`}>
        <span role="status" className="sr-only">
          Loading...
        </span>
        <Skeleton className="h-4 w-32" />
        {titles[target] && (
          <p aria-hidden className="display mt-3 text-d1 lg:text-d3">
            {titles[target]}
          </p>
        )}
        <Skeleton className="mt-8 h-28 rounded-lg!" />
        <div className="mt-10 grid gap-x-7 gap-y-12 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
          <CardSkeletons count={8} />
        </div>
      </div>
    </div>
  );
}
