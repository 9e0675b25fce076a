import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { LiveConnection, type Socket } from "#app/live/live-connection.ts";
import { addNewer, addNext, type ChatLog, createLog, readUpTo, removeOne, removeUpTo } from "#app/messages/chat/chat-log.ts";
import { MessageQueue, type Outcome, type Outgoing, type QueueStorage } from "#app/messages/chat/message-queue.ts";
import type { LiveEvent } from "#domain/live.ts";
import { type Message, type MessagePage, ownTopic } from "#domain/messages/message.ts";

export type MessengerParts = {
  /** The server to use; may change between requests. */
  url: string | (() => string);
  cookie: string;
  personId: string;
  partnerId: string;
  /** The browser's localStorage. */
  storage?: QueueStorage;
  /** The queue's delay between tries, shorter than in browsers. */
  pause?: (milliseconds: number) => Promise<void>;
  /** Waits until it is connected and loaded. */
  waitUntilReady?: boolean;
};

/** A browser's chat without its screen: the connection, queue and log that pages use. */
export async function openMessenger({
  url,
  cookie,
  personId,
  partnerId,
  storage = memoryStorage(),
  pause,
  waitUntilReady = true,
}: MessengerParts) {
  let closed = false;
  const base = typeof url === "function" ? url : () => url;
  let socket: WebSocket | undefined;
  const live = new LiveConnection(() => {
    socket = openSocket(base(), cookie);
    return socket as unknown as Socket;
  });
  const ask = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(base() + path, { ...init, headers: { cookie, origin: base() }, signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new Error(`${path} answers ${response.status}`);
    return response.json() as Promise<Answer>;
  };
  const post = (path: string, fields: Record<string, string>) =>
    ask(`/messages/${partnerId}/${path}`, { method: "POST", body: new URLSearchParams(fields) });
  const deliver = async ({ to, text, sendId }: Outgoing): Promise<Outcome> => {
    if (closed) return new Promise(() => {});
    if (live.state === "open") {
      const response = await live.sendMessage({ from: personId, to, text, sendId });
      return "sent" in response ? response : { refused: response.unsent };
    }
    return { sent: (await post("send", { from: personId, text, sendId })) as { id: string; number: number; createdAt: number } };
  };

  let log: ChatLog = createLog({ messages: [], more: false, partnerRead: 0, lastNumber: 0 });
  const broadcasts: string[] = [];
  let fetching: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    if (fetching) await fetching;
    fetching ??= fetchNewer().finally(() => {
      fetching = undefined;
    });
    return fetching;
  };
  const fetchNewer = async () => {
    for (let more = true; more && !closed; ) {
      try {
        const page = await ask<MessagePage>(`/messages/${partnerId}/history?after=${log.seen}`);
        log = addNewer(log, page);
        more = page.more;
      } catch {
        await wait(20);
      }
    }
  };
  const onEvent = ({ type, data }: LiveEvent, message?: Message) => {
    if (type === "gap") log = createLog({ messages: [], more: false, partnerRead: 0, lastNumber: 0 });
    if (type === "gap") void refresh();
    if (!("number" in data) || data.partnerId !== partnerId) return;
    const { number } = data;
    if (type === "message.created" && number > log.seen) {
      if (message && number === log.seen + 1) log = addNext(log, message);
      else void refresh();
    }
    if (type === "message.deleted") log = removeOne(log, number);
    if (type === "chat.deleted") log = removeUpTo(log, number);
    if (type === "conversation.read" && !data.own) log = readUpTo(log, number);
  };
  const broadcast = ({ type }: { type: string }) => void broadcasts.push(type);
  live.listen({ topics: [ownTopic(personId)], viewerId: personId }, onEvent, broadcast);
  live.watch(() => live.state === "open" && void refresh());
  const box = new MessageQueue({ person: personId, storage, deliver, ...(pause ? { wait: pause } : {}) });
  box.onSent(({ text, sendId }, { id, number, createdAt }) => {
    log = addNext(log, { id, number, sendId, senderId: personId, message: text.trim(), isRead: false, createdAt, file: null });
  });
  box.flush();
  while (waitUntilReady && live.state !== "open") await wait(10);
  if (waitUntilReady) await refresh();

  return {
    live,
    box,
    refresh,
    log: () => log,
    texts: () => log.messages.map(({ message }) => message),
    numbers: () => log.messages.map(({ number }) => number),
    partnerRead: () => log.partnerRead,
    broadcasts: () => broadcasts,
    /** Adds to the queue, which sends by itself. */
    put: (text: string) => void box.add(partnerId, text),
    async send(text: string) {
      box.add(partnerId, text);
      while (box.items.length > 0) await wait(5);
    },
    typing: () => live.typing(partnerId),
    read: (number: number) => post("change", { change: "read", value: String(number) }),
    /** Listens for the partner's presence, which is visible after both have written. */
    async watch() {
      live.listen({ topics: [`presence:${partnerId}`], viewerId: personId }, () => {}, broadcast);
    },
    /** Breaks the connection, which reconnects by itself. */
    drop: () => socket?.terminate(),
    /** A closed or crashed tab: everything in progress stops. */
    close() {
      closed = true;
      live.pause();
    },
  };
}

export type Messenger = Awaited<ReturnType<typeof openMessenger>>;

function openSocket(url: string, cookie: string): WebSocket {
  const socket = new WebSocket(`${url.replace("http", "ws")}/live`, { headers: { cookie, origin: url } });
  socket.on("error", () => {}); // The close event follows.
  return socket;
}

/** A localStorage. */
export function memoryStorage(): QueueStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
}
