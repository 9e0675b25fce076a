import { type KeyboardEvent, useContext, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "react-router";
import { SearchInput } from "#app/ui/field.tsx";
import { isComposing } from "#app/ui/is-composing.ts";
import { NavigateContext } from "#app/ui/link.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { searchMaxLength } from "#domain/search/quick-search.ts";
import { SuggestionPanel } from "./suggestion-panel.tsx";
import { useSuggestions } from "./use-suggestions.ts";

type SearchBoxProps = {
  term: string;
  quiet: boolean;
  size: "md" | "lg";
};

/** With scripts, a combobox (ARIA Authoring Practices, list autocomplete with manual selection). */
export function SearchBox({ term, quiet, size }: SearchBoxProps) {
  const [typed, setTyped] = useState(term);
  const field = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const suggestions = useSuggestions(open ? typed : "");
  const { posts, state } = suggestions;
  const listId = useId();
  const navigate = useContext(NavigateContext);
  const hydrated = useHydrated();
  const { pathname } = useLocation();
  const screen = useRef(pathname);
  useEffect(() => {
    // On the same screen more may have been typed since the URL changed.
    if (screen.current !== pathname || document.activeElement !== field.current) setTyped(term);
    screen.current = pathname;
  }, [term, pathname]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: any navigation closes the panel.
  useEffect(() => setOpen(false), [pathname]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new stories reset the selection.
  useEffect(() => setChosen(-1), [posts]);
  const shown = open && state !== "idle";
  const active = shown && posts[chosen] ? `${listId}-${chosen}` : undefined;

  const step = (by: 1 | -1) => {
    // The field itself is between the last and the first.
    const places = posts.length + 1;
    setChosen((before) => ((before + 1 + by + places) % places) - 1);
  };

  function onKeyDown(event: KeyboardEvent) {
    const post = posts[chosen];
    if (isComposing(event)) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (shown) step(event.key === "ArrowDown" ? 1 : -1);
      else setOpen(true);
    } else if (event.key === "Enter" && active && post) {
      event.preventDefault();
      void navigate?.(`/post/${encodeURIComponent(post.id)}`);
    } else if (event.key === "Enter") setOpen(false);
    else if (event.key === "Escape" && shown) {
      // The first closes the panel, the second empties the field, as browsers do.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  }

  return (
    <div className="relative">
      <SearchInput
        ref={field}
        name="q"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
        placeholder="Search posts..."
        quiet={quiet}
        size={size}
        maxLength={searchMaxLength}
        autoComplete="off"
        {...(hydrated && {
          role: "combobox",
          "aria-expanded": shown && posts.length > 0,
          "aria-controls": listId,
          "aria-autocomplete": "list",
          "aria-activedescendant": active,
        })}
      />
      {hydrated && <SuggestionPanel {...{ listId, suggestions, shown, chosen }} onHover={setChosen} />}
    </div>
  );
}
