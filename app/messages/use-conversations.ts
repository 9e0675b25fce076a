import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLive } from "#app/live/use-live.ts";
import { showToast } from "#app/shell/toasts.tsx";
import type { LiveChange } from "#domain/changes.ts";
import type { LiveEvent } from "#domain/live.ts";
import { type ConversationPage, type ConversationSummary, type Message, ownTopic, preview } from "#domain/messages/message.ts";
import { fetchConversations } from "./requests.ts";

export type ConversationList = {
  conversations: ConversationSummary[];
  /** The next page's cursor; null at the end. */
  next: string | null;
  loading: boolean;
  loadMore(): void;
};

/** The time from an event to its refresh, and between refreshes (messaging and administration §4). */
const refreshDelayMs = 500;
const refreshIntervalMs = 1_000;

export function useConversations(viewerId: string, first: ConversationPage, cursor: string): ConversationList {
  const [top, setTop] = useState(first);
  const [more, setMore] = useState<ConversationPage[]>([]);
  const [loading, setLoading] = useState(false);
  const [eventCount, setEventCount] = useState(0);
  const lastRequestAt = useRef(0);
  const due = useRef<number>(undefined);
  // Two messages may arrive before a render.
  const latest = useRef(first);
  const changes = useRef(0);
  const show = (page: ConversationPage) => {
    latest.current = page;
    setTop(page);
  };
  const change = (page: ConversationPage) => {
    changes.current++;
    show(page);
  };

  const handleEvent = useEffectEvent(({ type, data }: LiveEvent, message?: Message) => {
    if (type === "conversation.read") {
      change(applyReading(latest.current, data));
      setMore((pages) => pages.map((page) => applyReading(page, data)));
      return;
    }
    const applied = type === "message.created" ? applyMessage(latest.current, data, message) : undefined;
    if (applied) return change(applied);
    setEventCount((count) => count + 1);
    if (type !== "chat.deleted") return;
    change(without(latest.current, data.partnerId));
    setMore((pages) => pages.map((page) => without(page, data.partnerId)));
  });
  useLive([ownTopic(viewerId)], handleEvent, cursor);

  const refresh = useEffectEvent(async () => {
    lastRequestAt.current = Date.now();
    due.current = undefined;
    const before = changes.current;
    const page = await fetchConversations(viewerId).catch(() => undefined);
    // The response may be older than an event that arrived meanwhile.
    if (page && changes.current !== before) setEventCount((count) => count + 1);
    else if (page) {
      const rest = findDisplaced(latest.current, page);
      if (rest.conversations[0]) setMore((pages) => [rest, ...pages]);
      show(page);
    }
  });
  useEffect(() => {
    if (eventCount === 0) return;
    // Counts from the first event: frequent ones must not postpone the refresh.
    due.current ??= Math.max(Date.now() + refreshDelayMs, lastRequestAt.current + refreshIntervalMs);
    const timer = setTimeout(refresh, due.current - Date.now());
    return () => clearTimeout(timer);
  }, [eventCount]);

  const pages = [top, ...more];
  const byPartner = new Map<string, ConversationSummary>();
  for (const each of pages.flatMap(({ conversations }) => conversations))
    if (!byPartner.has(each.partner.id)) byPartner.set(each.partner.id, each);
  const next = pages.at(-1)?.next ?? null;
  return {
    conversations: [...byPartner.values()],
    next,
    loading,
    loadMore() {
      if (loading || !next) return;
      setLoading(true);
      fetchConversations(viewerId, next)
        .then((page) => setMore((pages) => [...pages, page]))
        .catch(() => showToast({ tone: "error", text: "We couldn’t load more conversations. Please try again." }))
        .finally(() => setLoading(false));
    },
  };
}

/** What newer conversations moved out of the first page, as a page before the next ones, which were read after it. */
export function findDisplaced(former: ConversationPage, { conversations }: ConversationPage): ConversationPage {
  const oldest = conversations.at(-1)?.lastMessage.createdAt ?? 0;
  const rest = conversations.reduce((page, { partner }) => without(page, partner.id), former);
  return { ...rest, conversations: rest.conversations.filter(({ lastMessage }) => lastMessage.createdAt <= oldest) };
}

function without(page: ConversationPage, partnerId: string): ConversationPage {
  return { ...page, conversations: page.conversations.filter(({ partner }) => partner.id !== partnerId) };
}

type MessageCreated = Extract<LiveChange, { type: "message.created" }>["data"];

/** The first page after a message. Undefined if it must be fetched: for a new partner, or without the message. */
export function applyMessage(
  page: ConversationPage,
  { partnerId, unread }: MessageCreated,
  message?: Message,
): ConversationPage | undefined {
  const before = page.conversations.find(({ partner }) => partner.id === partnerId);
  if (!before || !message || message.createdAt < before.lastMessage.createdAt) return undefined;
  const { senderId, message: text, createdAt, file } = message;
  const after = { ...before, unreadCount: unread, lastMessage: { senderId, preview: preview(text), isFile: file !== null, createdAt } };
  return { ...page, conversations: [after, ...page.conversations.filter((each) => each !== before)] };
}

type ConversationRead = Extract<LiveChange, { type: "conversation.read" }>["data"];

/** Shows the viewer's reading; the partner's doesn't change the list. */
export function applyReading(page: ConversationPage, read: ConversationRead): ConversationPage {
  if (!read.own) return page;
  const { partnerId, unread } = read;
  return {
    ...page,
    conversations: page.conversations.map((each) => (each.partner.id === partnerId ? { ...each, unreadCount: unread } : each)),
  };
}
