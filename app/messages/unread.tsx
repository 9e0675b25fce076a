import { useWaiting } from "#app/live/waiting.tsx";
import { CounterBadge } from "#app/ui/badge.tsx";

/** How many messages wait for the viewer, live. */
export function useUnread(): number {
  return useWaiting().unread;
}

/** A badge with the number of messages that wait, 99+ above 99; nothing at zero. */
export function UnreadBadge({ className }: { className?: string }) {
  const unread = useUnread();
  return <CounterBadge count={unread} label={unread === 1 ? "unread message" : "unread messages"} className={className} />;
}
