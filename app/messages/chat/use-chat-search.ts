import { useRef, useState } from "react";
import { fetchSearchResults } from "#app/messages/requests.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { fold } from "#domain/fold.ts";
import type { Message } from "#domain/messages/message.ts";
import { type ChatLog, withoutDeleted } from "./chat-log.ts";

export type ChatSearching = {
  open: boolean;
  term: string;
  /** Oldest first; undefined without a search. */
  found: Message[] | undefined;
  more: boolean;
  loading: boolean;
  toggle(): void;
  setTerm(term: string): void;
  searchOlder(): void;
};

export function useChatSearch(viewerId: string, partnerId: string, log: ChatLog): ChatSearching {
  const [open, setOpen] = useState(false);
  const [term, setTerm] = useState("");
  const [older, setOlder] = useState<{ messages: Message[]; next: number | null }>();
  const [loading, setLoading] = useState(false);
  const latest = useRef("");
  const foldedTerm = fold(term.trim());
  const here = foldedTerm === "" ? [] : log.messages.filter(({ message }) => fold(message).includes(foldedTerm));
  const search = (next: string) => {
    latest.current = next;
    setTerm(next);
    setOlder(undefined);
  };
  const from = older ? older.next : log.more ? (log.messages[0]?.number ?? null) : null;
  return {
    open,
    term: foldedTerm === "" ? "" : term.trim(),
    found: open && foldedTerm !== "" ? [...withoutDeleted(log, older?.messages ?? []), ...here] : undefined,
    more: from !== null,
    loading,
    toggle() {
      setOpen(!open);
      search("");
    },
    setTerm: search,
    searchOlder() {
      if (from === null || loading) return;
      setLoading(true);
      fetchSearchResults(viewerId, partnerId, term.trim(), from)
        .then(({ messages, next }) => {
          // Ignores results of an earlier term.
          if (latest.current === term) setOlder({ messages: [...messages, ...(older?.messages ?? [])], next });
        })
        .catch(() => showToast({ tone: "error", text: "Search failed. Please try again." }))
        .finally(() => setLoading(false));
    },
  };
}
