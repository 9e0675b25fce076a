import { useEffect, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { useSlow } from "#app/shell/use-slow.ts";
import { column } from "#app/ui/panel.tsx";
import { CardSkeletons } from "#app/ui/skeleton.tsx";

const lists = ["/", "/all-posts"];

/** Over the screen that is being left, while a list of stories takes its time: what is below keeps its place for who comes back. */
export function ComingList() {
  const { state, location } = useNavigation();
  const { pathname } = useLocation();
  const slow = useSlow(state === "loading" && location.pathname !== pathname && lists.includes(location.pathname));
  const [top, setTop] = useState(0);
  useEffect(() => {
    if (slow) setTop(Math.max(0, document.getElementById("main")?.getBoundingClientRect().top ?? 0));
  }, [slow]);
  if (!slow) return null;
  return (
    <div aria-busy className="fixed inset-x-0 bottom-0 z-(--z-sticky) overflow-hidden bg-paper" style={{ top }}>
      <div className={`${column} grid gap-x-7 gap-y-12 pt-12 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4`}>
        <span role="status" className="sr-only">
          Loading...
        </span>
        <CardSkeletons count={8} />
      </div>
    </div>
  );
}
