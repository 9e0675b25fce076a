import { type FormEvent, useContext, useEffect, useRef } from "react";
import { Form, useLocation } from "react-router";
import { searchDelayMs } from "#app/search/narrowing.ts";
import { SearchBox } from "#app/search/search-box.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { NavigateContext } from "#app/ui/link.tsx";
import { searchedPath } from "./navigation.ts";

type SearchFormProps = { quiet?: boolean; size?: "md" | "lg"; className?: string | undefined };

/** On a screen with a list of stories it narrows that list, while one types too; elsewhere Enter opens all stories that match. */
export function SearchForm({ quiet = false, size = "md", className }: SearchFormProps) {
  const { viewer, search, site } = useRoot();
  const { pathname, search: query } = useLocation();
  const target = searchedPath(pathname, viewer !== null || site.listingPublic);
  const otherParams = new URLSearchParams(pathname === target ? query : "");
  // A visitor's search opens the latest stories, whatever tab was open.
  for (const name of ["q", "after", "index", ...(viewer ? [] : ["tab"])]) otherParams.delete(name);
  const narrow = useNarrowingHere(target, otherParams);
  return (
    <Form
      method="get"
      action={viewer || target !== "/" ? target : "/#stories"}
      role="search"
      className={className}
      onSubmit={(event) => {
        narrow.stop();
        dropEmptyTerm(event);
      }}
      onChange={pathname === target ? narrow.soon : undefined}
    >
      {[...otherParams].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchBox term={search} quiet={quiet} size={size} />
    </Form>
  );
}

const narrowing = "narrowing";

/** Whether a page was opened by typing into this form, and more may follow. */
export function isNarrowing(state: unknown): boolean {
  return typeof state === "object" && state !== null && narrowing in state;
}

/** What is typed first makes a step of the history, what follows is the same search. */
function useNarrowingHere(pathname: string, kept: URLSearchParams) {
  const navigate = useContext(NavigateContext);
  const { search } = useRoot();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(waiting.current);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const soon = ({ target }: FormEvent<HTMLFormElement>) => {
    stop();
    const term = (target as HTMLInputElement).value.trim();
    if (term === search) return;
    const query = new URLSearchParams({ ...Object.fromEntries(kept), ...(term ? { q: term } : {}) });
    const address = query.size > 0 ? `${pathname}?${query}` : pathname;
    const options = { replace: search !== "", preventScrollReset: true, state: { [narrowing]: true } };
    waiting.current = setTimeout(() => void navigate?.(address, options), searchDelayMs);
  };
  return { soon, stop };
}

function dropEmptyTerm(event: FormEvent<HTMLFormElement>) {
  const field = event.currentTarget.elements.namedItem("q") as HTMLInputElement;
  field.disabled = field.value.trim() === "";
  requestAnimationFrame(() => {
    field.disabled = false;
  });
}
