import { useEffect, useState } from "react";
import { type FoundPost, quickSearchMinLength } from "#domain/search/quick-search.ts";
import { searchDelayMs } from "./filter-form.ts";

/** `stories` of the latest answer, also while the next request runs. */
export type Suggestions = { state: "idle" | "searching" | "found" | "failed"; stories: FoundPost[] };

const none: Suggestions = { state: "idle", stories: [] };

export function useSuggestions(term: string): Suggestions {
  const [suggestions, setSuggestions] = useState(none);
  const typed = term.trim();
  useEffect(() => {
    if ([...typed].length < quickSearchMinLength) return setSuggestions(none);
    const abort = new AbortController();
    setSuggestions(({ stories }) => ({ state: "searching", stories }));
    const timer = setTimeout(async () => {
      const answer = await fetchSuggestions(typed, abort.signal);
      if (!abort.signal.aborted) setSuggestions(answer);
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
    if (!response.ok) return { state: "failed", stories: [] };
    return { state: "found", stories: ((await response.json()) as { stories: FoundPost[] }).stories };
  } catch {
    return { state: "failed", stories: [] };
  }
}
