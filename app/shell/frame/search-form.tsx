import { type FormEvent, useContext, useEffect, useRef } from "react";
import { Form, useLocation } from "react-router";
import { searchDelayMs } from "#app/search/filter-form.ts";
import { SearchBox } from "#app/search/search-box.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { NavigateContext } from "#app/ui/link.tsx";
import { searchedPath } from "./navigation.ts";

type SearchFormProps = { quiet?: boolean; size?: "md" | "lg"; className?: string | undefined };

/** Filters the list of a list page while typing; on other pages Enter opens the list of matching stories. */
export function SearchForm({ quiet = false, size = "md", className }: SearchFormProps) {
  const { viewer, search, site } = useRoot();
  const { pathname, search: query } = useLocation();
  const target = searchedPath(pathname, viewer !== null || site.listingPublic);
  const otherParams = new URLSearchParams(pathname === target ? query : "");
  // A visitor's search opens the Latest tab.
  for (const name of ["q", "after", "index", ...(viewer ? [] : ["tab"])]) otherParams.delete(name);
  const filter = useTypedSearch(target, otherParams);
  return (
    <Form
      method="get"
      action={viewer || target !== "/" ? target : "/#stories"}
      role="search"
      className={className}
      onSubmit={(event) => {
        filter.cancel();
        dropEmptyTerm(event);
      }}
      onChange={pathname === target ? filter.schedule : undefined}
    >
      {[...otherParams].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchBox term={search} quiet={quiet} size={size} />
    </Form>
  );
}

const typedSearchKey = "narrowing";

/** Whether the page was opened by typing into this form. */
export function isTypedSearch(state: unknown): boolean {
  return typeof state === "object" && state !== null && typedSearchKey in state;
}

/** The first search adds a history entry; further typing replaces it. */
function useTypedSearch(pathname: string, otherParams: URLSearchParams) {
  const navigate = useContext(NavigateContext);
  const { search } = useRoot();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const schedule = ({ target }: FormEvent<HTMLFormElement>) => {
    cancel();
    const term = (target as HTMLInputElement).value.trim();
    if (term === search) return;
    const query = new URLSearchParams({ ...Object.fromEntries(otherParams), ...(term ? { q: term } : {}) });
    const path = query.size > 0 ? `${pathname}?${query}` : pathname;
    const options = { replace: search !== "", preventScrollReset: true, state: { [typedSearchKey]: true } };
    timer.current = setTimeout(() => void navigate?.(path, options), searchDelayMs);
  };
  return { schedule, cancel };
}

function dropEmptyTerm(event: FormEvent<HTMLFormElement>) {
  const field = event.currentTarget.elements.namedItem("q") as HTMLInputElement;
  field.disabled = field.value.trim() === "";
  requestAnimationFrame(() => {
    field.disabled = false;
  });
}
