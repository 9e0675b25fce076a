import { createContext, type ReactNode, useContext, useState } from "react";
import { useBroadcasts, useLive } from "#app/live/use-live.ts";
import { useOutboxInBackground } from "#app/messages/chat/use-outbox.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { ownTopic } from "#domain/messages/message.ts";

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

function useLiveUnread(viewerId: string | undefined, loaded: { unread: number; cursor: string }): number {
  const [counted, setCounted] = useState<{ of: typeof loaded; unread: number }>();
  const topics = viewerId ? [ownTopic(viewerId)] : [];
  useLive(topics, () => {}, loaded.cursor || undefined);
  useBroadcasts(topics, ({ type, data }) => type === "unread" && setCounted({ of: loaded, unread: Number(data.unread) }));
  // What a later page brought along is newer than what was counted on an earlier one.
  return counted?.of === loaded ? counted.unread : loaded.unread;
}
