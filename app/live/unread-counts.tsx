import { createContext, type ReactNode, useContext, useState } from "react";
import { useFollowedPosts } from "#app/follows/followed-posts.tsx";
import { useBroadcasts, useLive } from "#app/live/use-live.ts";
import { type RootData, useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { Personal } from "#app/ui/personal.tsx";
import { ownTopic } from "#domain/messages/message.ts";

type UnreadCounts = { unread: number; notifications: number };

const UnreadCountsContext = createContext<{ counts: UnreadCounts; newPosts: number }>({
  counts: { unread: 0, notifications: 0 },
  newPosts: 0,
});

/** The counts of all badges, live. */
export function useUnreadCounts(): UnreadCounts {
  const { counts, newPosts } = useContext(UnreadCountsContext);
  return { unread: counts.unread, notifications: counts.notifications + newPosts };
}

export function UnreadCountsProvider({ children }: { children: ReactNode }) {
  const { viewer, counts: loaded } = useRoot();
  const counts = useLatestCounts(viewer?.id, loaded);
  const newPosts = useNewPosts(loaded.countsPosts ? viewer?.id : undefined, counts);
  return <UnreadCountsContext value={{ counts, newPosts }}>{children}</UnreadCountsContext>;
}

/** Counts new stories of followed members since `counts`. */
function useNewPosts(viewerId: string | undefined, counts: UnreadCounts): number {
  const [news, setNews] = useState<{ since: UnreadCounts; ids: string[] }>();
  const idsOf = (known: typeof news) => (known?.since === counts ? known.ids : []);
  useFollowedPosts(viewerId, ({ id }) => setNews((known) => ({ since: counts, ids: [...new Set([...idsOf(known), id])] })));
  return idsOf(news).length;
}

/** The newer of the page's counts and the broadcast ones: a page may arrive after a broadcast that is newer. */
function useLatestCounts(viewerId: string | undefined, loaded: RootData["counts"]): UnreadCounts {
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
