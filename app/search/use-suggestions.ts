import { useEffect, useState } from "react";
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
      const response = await fetchSuggestions(typed, abort.signal);
      if (!abort.signal.aborted) setSuggestions(response);
    }, searchDelayMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed]);
  return suggestions;
}

async function fetchSuggestions(term: string, signal: AbortSignal): Promise<Suggestions> {
  try {
    const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: term })}`, { signal });
    if (!response.ok) return { state: "failed", posts: [] };
    return { state: "found", posts: ((await response.json()) as { posts: FoundPost[] }).posts };
  } catch {
    return { state: "failed", posts: [] };
  }
}
