import { useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import type { PagedList } from "./paged-list.ts";

/** Loads the next page below this one or, without JavaScript, as a page of its own. */
export function LoadMore({ list: { next, loading, loadMore }, label }: { list: PagedList; label: string }) {
  const { pathname, search } = useLocation();
  const isFurther = new URLSearchParams(search).has("after");
  if (!next && !isFurther) return null;
  return (
    <div className="mt-12 flex flex-wrap justify-center gap-2">
      {isFurther && (
        <ButtonLink to={withCursor(pathname, search, null)} size="lg">
          Back to the first page
        </ButtonLink>
      )}
      {next && (
        <ButtonLink
          to={withCursor(pathname, search, next)}
          size="lg"
          aria-disabled={loading}
          onClick={(event) => {
            event.preventDefault();
            if (!loading) loadMore(withCursor(pathname, search, next, pathname === "/"));
          }}
        >
          {loading ? <Spinner label="Loading..." /> : label}
        </ButtonLink>
      )}
    </div>
  );
}

/** An index route's loader answers a fetcher only under `?index`. */
function withCursor(pathname: string, search: string, after: string | null, index = false): string {
  const query = new URLSearchParams(search);
  if (after) query.set("after", after);
  else query.delete("after");
  return query.size > 0 ? `${pathname}?${index ? "index&" : ""}${query}` : pathname;
}
