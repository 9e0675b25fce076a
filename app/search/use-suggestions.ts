import { type FoundPost, quickSearchMinLength } from "#domain/search/quick-search.ts";
import { type TypedSearch, useTypedSearch } from "./use-typed-search.ts";

export type Suggestions = { state: TypedSearch<unknown>["state"]; posts: FoundPost[] };

const none: FoundPost[] = [];

export function useSuggestions(term: string): Suggestions {
  const { state, found } = useTypedSearch<{ posts: FoundPost[] }>("/search/suggestions", term, quickSearchMinLength);
  return { state, posts: found?.posts ?? none };
}
