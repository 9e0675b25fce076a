import { useEffect, useState } from "react";
import type { FoundPeople } from "#domain/messages/message.ts";
import { fetchPeople } from "./requests.ts";

const typingPauseMs = 200;

export type PeopleSearch = { term: string; setTerm(term: string): void; found: FoundPeople | undefined; isLoadFailed: boolean };

/** Searches people by name after a pause in typing. `found`: the last result; undefined without a term. */
export function usePeople(): PeopleSearch {
  const [term, setTerm] = useState("");
  const [found, setFound] = useState<FoundPeople>();
  const [isLoadFailed, setLoadFailed] = useState(false);
  const name = term.trim();
  useEffect(() => {
    setLoadFailed(false);
    if (name === "") return setFound(undefined);
    const asking = new AbortController();
    const search = () =>
      fetchPeople(name, asking.signal).then(setFound, () => {
        if (!asking.signal.aborted) setLoadFailed(true);
      });
    const timer = setTimeout(search, typingPauseMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [name]);
  return { term, setTerm, found, isLoadFailed };
}
