import { useEffect, useEffectEvent, useRef, useState } from "react";
import { RequestRefused } from "#app/browser/fetch-json.ts";
import { useLive, useLiveState } from "#app/live/use-live.ts";
import { changeChat, fetchHistory, fetchUnread } from "#app/messages/requests.ts";
import type { LiveEvent } from "#domain/live.ts";
import { type Message, type MessagePage, ownTopic } from "#domain/messages/message.ts";
import { addNewer, addNext, addOlder, type ChatLog, createLog, readUpTo, removeOne, removeUpTo } from "./chat-log.ts";
import { type Outgoing, ownMessageQueue } from "./message-queue.ts";
import { useOutgoing } from "./use-message-queue.ts";

export type ChatParts = { viewerId: string; partnerId: string; page: MessagePage; cursor: string; isLoadFailed: boolean };

type OlderState = "loading" | "failed" | undefined;

export type Chat = {
  log: ChatLog;
  outgoing: Outgoing[];
  signedOut: boolean;
  older: OlderState;
  loadOlder(): void;
  refresh(): void;
  forget(number: number): void;
};

/** A chat's loaded and outgoing messages, updated live. */
export function useChat({ viewerId, partnerId, page, cursor, isLoadFailed }: ChatParts): Chat {
  const [signedOut, setSignedOut] = useState(false);
  const failed = (error: unknown) => {
    // Other failures are temporary, and the next event fetches again.
    if (error instanceof RequestRefused && error.status === 401) setSignedOut(true);
  };
  const { log, latest, older, change, refresh, startOver, loadOlder } = useLoadedLog({ viewerId, partnerId, page }, failed);

  const handleEvent = useEffectEvent((event: LiveEvent, message?: Message) => {
    if (isLoadFailed) return;
    if (event.type === "gap") return startOver();
    if (!("number" in event.data) || event.data.partnerId !== partnerId) return;
    const { number } = event.data;
    if (event.type === "message.created" && number > latest.current.seen) {
      if (message && number === latest.current.seen + 1) change((log) => addNext(log, message));
      else void refresh();
    }
    if (event.type === "message.deleted") change((log) => removeOne(log, number));
    if (event.type === "chat.deleted") change((log) => removeUpTo(log, number));
    if (event.type === "conversation.read" && !event.data.own) change((log) => readUpTo(log, number));
  });
  useLive([ownTopic(viewerId)], handleEvent, cursor || undefined);

  const state = useLiveState();
  const catchUp = useEffectEvent(() => {
    // Signed in again, perhaps in another tab.
    if (state === "open") setSignedOut(false);
    if (state === "open" && !isLoadFailed) void refresh();
    if (state === "stopped") fetchUnread(viewerId).catch(failed);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the connection's state changes.
  useEffect(() => catchUp(), [state]);

  const add = useEffectEvent((message: Message) => change((log) => addNext(log, message)));
  useEffect(
    () =>
      ownMessageQueue(viewerId).onSent(({ to, text, sendId }, { id, number, createdAt }) => {
        if (to !== partnerId) return;
        add({ id, number, sendId, senderId: viewerId, message: text.trim(), isRead: false, createdAt, file: null });
      }),
    [viewerId, partnerId],
  );
  useReading(log, { viewerId, partnerId });

  const all = useOutgoing(viewerId);
  const acknowledged = new Set(log.messages.map(({ sendId }) => sendId));
  const outgoing = all.filter(({ to, sendId }) => to === partnerId && !acknowledged.has(sendId));
  const stopped = isOwnQueueStopped(viewerId);
  return {
    log,
    outgoing,
    signedOut: signedOut || stopped,
    older,
    loadOlder,
    refresh: () => void refresh(),
    forget: (number) => change((log) => removeOne(log, number)),
  };
}

function isOwnQueueStopped(viewerId: string): boolean {
  return typeof window !== "undefined" && ownMessageQueue(viewerId).stopped;
}

/** Marks messages as read when they are visible. */
function useReading(log: ChatLog, { viewerId, partnerId }: { viewerId: string; partnerId: string }): void {
  const lastMarked = useRef(0);
  const last = log.messages.findLast(({ senderId }) => senderId !== viewerId);
  const unread = last && !last.isRead ? last.number : 0;
  useEffect(() => {
    const markRead = () => {
      if (document.visibilityState !== "visible" || unread <= lastMarked.current) return;
      lastMarked.current = unread;
      changeChat(viewerId, partnerId, "read", String(unread)).catch(() => {
        lastMarked.current = 0;
      });
    };
    markRead();
    document.addEventListener("visibilitychange", markRead);
    return () => document.removeEventListener("visibilitychange", markRead);
  }, [unread, viewerId, partnerId]);
}

function useLoadedLog({ viewerId, partnerId, page }: Pick<ChatParts, "viewerId" | "partnerId" | "page">, failed: (error: unknown) => void) {
  const [log, setLog] = useState(() => createLog(page));
  const [older, setOlder] = useState<OlderState>();
  const latest = useRef(log);
  latest.current = log;
  const fetching = useRef<{ again: boolean } | null>(null);

  function change(next: (log: ChatLog) => ChatLog) {
    latest.current = next(latest.current);
    setLog(latest.current);
  }

  /** One request at a time; calls meanwhile cause one more. */
  async function refresh() {
    if (fetching.current) {
      fetching.current.again = true;
      return;
    }
    const run = { again: true };
    fetching.current = run;
    try {
      while (run.again) {
        run.again = false;
        const newer = await fetchHistory(viewerId, partnerId, { after: latest.current.seen });
        change((log) => addNewer(log, newer));
        run.again ||= newer.more;
      }
    } catch (error) {
      failed(error);
    } finally {
      fetching.current = null;
    }
  }

  function startOver() {
    fetchHistory(viewerId, partnerId).then((page) => change(() => createLog(page)), failed);
  }

  function loadOlder() {
    const first = latest.current.messages[0];
    if (older === "loading" || !latest.current.more || !first) return;
    setOlder("loading");
    fetchHistory(viewerId, partnerId, { before: first.number }).then(
      (page) => {
        change((log) => addOlder(log, page));
        setOlder(undefined);
      },
      (error) => {
        failed(error);
        setOlder("failed");
      },
    );
  }

  return { log, latest, older, change, refresh, startOver, loadOlder };
}
