import { createContext, type ReactNode, useContext, useState } from "react";
import { useFollowedPosts } from "#app/follows/followed-news.tsx";
import { useBroadcasts, useLive } from "#app/live/use-live.ts";
import { type RootData, useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { Personal } from "#app/ui/personal.tsx";
import { ownTopic } from "#domain/messages/message.ts";

type UnreadCounts = { unread: number; notifications: number };

const UnreadCountsContext = createContext<{ counted: UnreadCounts; newStories: number }>({
  counted: { unread: 0, notifications: 0 },
  newStories: 0,
});

/** The counts of all badges, live. */
export function useUnreadCounts(): UnreadCounts {
  const { counted, newStories } = useContext(UnreadCountsContext);
  return { unread: counted.unread, notifications: counted.notifications + newStories };
}

export function UnreadCountsProvider({ children }: { children: ReactNode }) {
  const { viewer, waiting } = useRoot();
  const counted = useCounted(viewer?.id, waiting);
  const newStories = useNewStories(waiting.countsStories ? viewer?.id : undefined, counted);
  return <UnreadCountsContext value={{ counted, newStories }}>{children}</UnreadCountsContext>;
}

/** Counts new stories of followed members since `counted`. */
function useNewStories(viewerId: string | undefined, counted: UnreadCounts): number {
  const [news, setNews] = useState<{ since: UnreadCounts; ids: string[] }>();
  const idsOf = (known: typeof news) => (known?.since === counted ? known.ids : []);
  useFollowedPosts(viewerId, ({ id }) => setNews((known) => ({ since: counted, ids: [...new Set([...idsOf(known), id])] })));
  return idsOf(news).length;
}

/** The newer of the page's counts and the broadcast ones: a page may arrive after a broadcast that is newer. */
function useCounted(viewerId: string | undefined, loaded: RootData["waiting"]): UnreadCounts {
  const [broadcast, setBroadcast] = useState<UnreadCounts & { viewerId: string | undefined; countedAt: number }>();
  const topics = viewerId ? [ownTopic(viewerId)] : [];
  useLive(topics, () => {}, loaded.cursor || undefined);
  useBroadcasts(topics, ({ type, data }) => {
    if (type !== "unread") return;
    setBroadcast({ viewerId, unread: Number(data.unread), notifications: Number(data.notifications), countedAt: Number(data.countedAt) });
  });
  return broadcast && broadcast.viewerId === viewerId && broadcast.countedAt >= loaded.countedAt ? broadcast : loaded;
}

export function UnreadBadge({ className }: { className?: string }) {
  return (
    <Personal as="span" className="contents">
      <UnreadCount className={className} />
    </Personal>
  );
}

function UnreadCount({ className }: { className?: string | undefined }) {
  const { unread } = useUnreadCounts();
  return <CounterBadge count={unread} label={unread === 1 ? "unread message" : "unread messages"} className={className} />;
}

export function NotificationsBadge({ className }: { className: string }) {
  return (
    <Personal as="span" className="contents">
      <NotificationsCount className={className} />
    </Personal>
  );
}

function NotificationsCount({ className }: { className: string }) {
  return <CounterBadge count={useUnreadCounts().notifications} label="unread" className={className} />;
}
