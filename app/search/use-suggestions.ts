import { useEffect, useState } from "react";
import { fetchJson } from "#app/shell/fetch-json.ts";
import { type FoundPost, quickSearchMinLength } from "#domain/search/quick-search.ts";
import { searchDelayMs } from "./filter-form.ts";

/** `posts` of the latest answer, also while the next request runs. */
export type Suggestions = { state: "idle" | "searching" | "found" | "failed"; posts: FoundPost[] };

const none: Suggestions = { state: "idle", posts: [] };

export function useSuggestions(term: string): Suggestions {
  const [suggestions, setSuggestions] = useState(none);
  const typed = term.trim();
  useEffect(() => {
    if ([...typed].length < quickSearchMinLength) return setSuggestions(none);
    const abort = new AbortController();
    setSuggestions(({ posts }) => ({ state: "searching", posts }));
    const timer = setTimeout(async () => {
      const found = await fetchSuggestions(typed, abort.signal).catch((): Suggestions => ({ state: "failed", posts: [] }));
      if (!abort.signal.aborted) setSuggestions(found);
    }, searchDelayMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed]);
  return suggestions;
}

async function fetchSuggestions(term: string, signal: AbortSignal): Promise<Suggestions> {
  const { posts } = await fetchJson<{ posts: FoundPost[] }>(`/search/suggestions?${new URLSearchParams({ q: term })}`, { signal });
  return { state: "found", posts };
}
