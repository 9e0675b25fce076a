import { createContext, type ReactNode, useContext, useState } from "react";
import { useBroadcasts, useLive } from "#app/live/use-live.ts";
import { type RootData, useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { Personal } from "#app/ui/personal.tsx";
import { ownTopic } from "#domain/messages/message.ts";

type UnreadCounts = { unread: number; notifications: number };
type ContextValue = { counted: UnreadCounts; newStories: number; addStory: (id: string) => void };

const UnreadCountsContext = createContext<ContextValue>({ counted: { unread: 0, notifications: 0 }, newStories: 0, addStory: () => {} });

/** The counts of all badges, live. */
export function useUnreadCounts(): UnreadCounts {
  const { counted, newStories } = useContext(UnreadCountsContext);
  return { unread: counted.unread, notifications: counted.notifications + newStories };
}

/** Counts a new story of a followed member as a notification. */
export function useAddStory(): ContextValue["addStory"] {
  return useContext(UnreadCountsContext).addStory;
}

export function UnreadCountsProvider({ children }: { children: ReactNode }) {
  const { viewer, waiting } = useRoot();
  const counted = useCounted(viewer?.id, waiting);
  const [news, setNews] = useState<{ since: UnreadCounts; stories: string[] }>();
  const stories = news?.since === counted ? news.stories : [];
  const addStory = (id: string) => {
    if (!waiting.countsStories) return;
    setNews((known) => ({ since: counted, stories: [...new Set([...(known?.since === counted ? known.stories : []), id])] }));
  };
  return <UnreadCountsContext value={{ counted, newStories: stories.length, addStory }}>{children}</UnreadCountsContext>;
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
