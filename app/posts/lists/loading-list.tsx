import type { ReactNode } from "react";
import { useLocation, useNavigation } from "react-router";
import { useSlow } from "#app/shell/use-slow.ts";

/** Whether another list of this page is loading slowly. */
export function useAnotherList(): boolean {
  const { state, location } = useNavigation();
  const here = useLocation();
  return useSlow(state === "loading" && location.pathname === here.pathname && listOf(location.search) !== listOf(here.search));
}

/** The query without what changes only how the list is shown. */
function listOf(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("view");
  query.delete("filters");
  return `${query}`;
}

/** Skeletons instead of a list. */
export function LoadingList({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div aria-busy className={className}>
      <span role="status" className="sr-only">
        Loading...
      </span>
      {children}
    </div>
  );
}
