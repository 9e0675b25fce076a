import { useEffect, useState } from "react";
import { fetchJson } from "#app/browser/fetch-json.ts";
import { searchDelayMs } from "./filter-form.ts";

/** `found`: the latest answer, also while the next request runs. */
export type TypedSearch<Found> = { state: "idle" | "searching" | "found" | "failed"; found: Found | undefined };

const idle = { state: "idle", found: undefined } as const;

/** Asks `path` for `?q=` after a pause in typing. */
export function useTypedSearch<Found>(path: string, typed: string, minLength = 1): TypedSearch<Found> {
  const [search, setSearch] = useState<TypedSearch<Found>>(idle);
  const q = typed.trim();
  useEffect(() => {
    if ([...q].length < minLength) return setSearch(idle);
    const abort = new AbortController();
    setSearch(({ found }) => ({ state: "searching", found }));
    const timer = setTimeout(async () => {
      const found = await fetchJson<Found>(`${path}?${new URLSearchParams({ q })}`, { signal: abort.signal }).catch(() => undefined);
      if (!abort.signal.aborted) setSearch({ state: found ? "found" : "failed", found });
    }, searchDelayMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [path, q, minLength]);
  return search;
}
