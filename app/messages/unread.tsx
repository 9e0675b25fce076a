import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { useLive } from "#app/live/use-live.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { ownTopic } from "#domain/messages/message.ts";
import { useOutboxInBackground } from "./use-outbox.ts";

const Unread = createContext(0);

/** How many messages wait for the viewer, live: the number of every badge. */
export function useUnread(): number {
  return useContext(Unread);
}

/** A badge with the number of messages that wait, 99+ above 99; nothing at zero. */
export function UnreadBadge({ className }: { className?: string }) {
  const unread = useUnread();
  return <CounterBadge count={unread} label={unread === 1 ? "unread message" : "unread messages"} className={className} />;
}

/** Keeps the number, around all screens. */
export function UnreadMessages({ children }: { children: ReactNode }) {
  const { viewer, messages } = useRoot();
  useOutboxInBackground(viewer?.id);
  const unread = useLiveUnread(viewer?.id, messages);
  return <Unread value={unread}>{children}</Unread>;
}

const pause = 500;

/** At once when something happens, then at most twice a second. */
function useLiveUnread(viewerId: string | undefined, loaded: { unread: number; cursor: string }): number {
  const [counted, setCounted] = useState<{ of: typeof loaded; unread: number }>();
  const [heard, setHeard] = useState(0);
  const asked = useRef(0);
  useLive(viewerId ? [ownTopic(viewerId)] : [], () => setHeard((count) => count + 1), loaded.cursor || undefined);
  const count = useEffectEvent(async () => {
    asked.current = Date.now();
    const answer = await fetch("/messages/unread").catch(() => undefined);
    if (answer?.ok) setCounted({ of: loaded, unread: ((await answer.json()) as { unread: number }).unread });
  });
  useEffect(() => {
    if (heard === 0) return;
    const timer = setTimeout(count, Math.max(0, asked.current + pause - Date.now()));
    return () => clearTimeout(timer);
  }, [heard]);
  // What a later page brought along is newer than what was counted on an earlier one.
  return counted?.of === loaded ? counted.unread : loaded.unread;
}
