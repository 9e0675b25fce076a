import { Listeners } from "#app/browser/listeners.ts";
import { type LiveBroadcast, type LiveEvent, type LiveRequest, type LiveResponse, livePath, stopCode } from "#domain/live.ts";
import type { Message, NewMessage } from "#domain/messages/message.ts";
import { seconds } from "#platform/time.ts";

export type LiveListener = (event: LiveEvent, message?: Message) => void;
export type BroadcastListener = (broadcast: LiveBroadcast) => void;

/** `waiting`: until the next attempt to reconnect. `stopped`: the session has ended; no attempts until `restart` or another viewer. */
export type LiveState = "idle" | "connecting" | "open" | "waiting" | "stopped";

/** `after`: the cursor that the page was loaded with; without one, listeners get new events only. `viewerId`: null for a visitor. */
export type Subscription = { topics: string[]; after?: string | undefined; viewerId: string | null };

export type Socket = Pick<WebSocket, "send" | "close" | "readyState"> & {
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((closed: { code: number }) => void) | null;
};

type Listener = { event: LiveListener; broadcast: BroadcastListener | undefined };
type Topic = {
  cursor: string | undefined;
  listeners: Set<Listener>;
  recent: { event: LiveEvent; message: Message | undefined; at: number }[];
  /** The last broadcast of a state; the server sends it once, to the first listener. */
  state?: LiveBroadcast;
};

type SendResult = Extract<LiveResponse, { sent: unknown } | { unsent: unknown }>;
type PendingRequest = { resolve(response: SendResult): void; reject(error: Error): void; timer: ReturnType<typeof setTimeout> };

const stateTypes = ["online", "offline"];

const openState = 1;
const idleTimeoutMs = seconds(5);
export const responseTimeoutMs = seconds(10);
/** The server sends something every 20 s. */
const silenceTimeoutMs = seconds(45);
/** Events are kept for this long, for listeners with an older cursor. */
const replayWindowMs = seconds(15);

/** Upper bound in milliseconds. */
export function reconnectDelayMs(attempt: number): number {
  if (attempt <= 5) return seconds(1);
  if (attempt <= 15) return seconds(5);
  return seconds(attempt <= 100 ? 10 : 60);
}

export class LiveConnection {
  readonly #open: () => Socket;
  readonly #topics = new Map<string, Topic>();
  #socket: Socket | undefined;
  #viewerId: string | null | undefined;
  #attempt = 0;
  #stopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #state: LiveState = "idle";
  readonly #changes = new Listeners();
  /** Returns the function that stops it. */
  readonly watch = this.#changes.add;
  readonly #unanswered = new Map<string, PendingRequest>();

  constructor(open: () => Socket) {
    this.#open = open;
  }

  /** Returns the function that unsubscribes. */
  listen({ topics, after, viewerId }: Subscription, event: LiveListener, broadcast?: BroadcastListener): () => void {
    this.#setViewer(viewerId);
    const listener = { event, broadcast };
    const newTopics = topics.filter((topic) => !this.#topics.has(topic));
    for (const topic of newTopics) this.#topics.set(topic, { cursor: after, listeners: new Set(), recent: [] });
    for (const name of topics) {
      const topic = this.#topics.get(name);
      topic?.listeners.add(listener);
      if (topic) topic.cursor ??= after;
      if (topic?.state) broadcast?.(topic.state);
    }
    this.#connect();
    this.#subscribe(newTopics);
    if (after !== undefined) this.#replay(topics, event, after);
    return () => this.#unsubscribe(topics, listener);
  }

  /**
   * Events between the loading of a page and its subscription have only reached earlier listeners. If the cursor isn't among the recent
   * events, all of them are replayed: listeners tolerate duplicates.
   */
  #replay(topics: string[], listener: LiveListener, after: string): void {
    for (const name of topics) {
      const recent = this.#topics.get(name)?.recent ?? [];
      const known = recent.findIndex(({ event }) => event.cursor === after);
      for (const { event, message, at } of recent.slice(known + 1)) if (Date.now() - at < replayWindowMs) listener(event, message);
    }
  }

  get state(): LiveState {
    return this.#state;
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#changes.notify();
  }

  /** Rejects without a connection or an answer; the message may have arrived nevertheless. */
  sendMessage(message: NewMessage): Promise<SendResult> {
    if (this.#socket?.readyState !== openState) return Promise.reject(new Error("There’s no connection"));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#replaceSocket(), responseTimeoutMs);
      this.#unanswered.set(message.sendId, { resolve, reject, timer });
      this.#request({ send: message });
    });
  }

  typing(partnerId: string): void {
    this.#request({ typing: partnerId });
  }

  reconnectNow(): void {
    if (this.#socket || this.#stopped || this.#topics.size === 0) return;
    this.#attempt = 0;
    this.#connect();
  }

  /** Its session has begun again, in another tab. */
  restart(): void {
    this.#stopped = false;
    this.reconnectNow();
  }

  /** For a page that is left: browsers don't keep pages with open connections in their back/forward cache. */
  pause(): void {
    this.#disconnect();
  }

  resume(): void {
    if (this.#topics.size > 0) this.#connect();
  }

  #setViewer(viewerId: string | null): void {
    if (this.#viewerId === viewerId) return;
    this.#viewerId = viewerId;
    this.#stopped = false;
    this.#attempt = 0;
    this.#disconnect();
  }

  #unsubscribe(topics: string[], listener: Listener): void {
    const unused = topics.filter((name) => {
      const topic = this.#topics.get(name);
      topic?.listeners.delete(listener);
      return topic?.listeners.size === 0 && this.#topics.delete(name);
    });
    if (unused.length > 0) this.#request({ unsubscribe: unused });
    if (this.#topics.size > 0) return;
    clearTimeout(this.#timer);
    // The next page may use the connection.
    this.#timer = setTimeout(() => this.#topics.size === 0 && this.#disconnect(), idleTimeoutMs);
  }

  #disconnect(): void {
    const socket = this.#socket;
    this.#end("idle");
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #end(state: LiveState): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#silenceTimer);
    this.#socket = undefined;
    this.#setState(state);
    for (const { reject, timer } of this.#unanswered.values()) {
      clearTimeout(timer);
      reject(new Error("No answer from the server"));
    }
    this.#unanswered.clear();
  }

  /** A connection can be dead without a close event: its server or its route is gone, or the computer has slept. */
  #replaceSocket(): void {
    this.#disconnect();
    this.resume();
  }

  #awaitFrame(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => this.#replaceSocket(), silenceTimeoutMs);
  }

  #connect(): void {
    if (this.#socket || this.#stopped) return;
    clearTimeout(this.#timer);
    const socket = this.#open();
    this.#socket = socket;
    this.#setState("connecting");
    this.#awaitFrame();
    socket.onopen = () => this.#subscribe([...this.#topics.keys()]);
    socket.onmessage = ({ data }) => {
      this.#awaitFrame();
      this.#handle(JSON.parse(String(data)) as LiveResponse);
    };
    socket.onclose = ({ code }) => {
      this.#stopped = code === stopCode;
      this.#end(this.#stopped ? "stopped" : "waiting");
      if (this.#stopped || this.#topics.size === 0) return;
      // Up to a fifth shorter, so that not all browsers reconnect at once after a restart.
      const delay = reconnectDelayMs(++this.#attempt) * (1 - Math.random() / 5);
      this.#timer = setTimeout(() => this.#connect(), delay);
    };
  }

  /** One request for all topics with the same cursor. */
  #subscribe(names: string[]): void {
    const byCursor = new Map<string | undefined, string[]>();
    for (const name of names) {
      const cursor = this.#topics.get(name)?.cursor;
      byCursor.set(cursor, [...(byCursor.get(cursor) ?? []), name]);
    }
    for (const [after, subscribe] of byCursor) this.#request({ subscribe, after });
  }

  #request(request: LiveRequest): void {
    if (this.#socket?.readyState === openState) this.#socket.send(JSON.stringify(request));
  }

  #handle(response: LiveResponse): void {
    if ("event" in response) this.#handleEvent(response.event, response.message);
    else if ("broadcast" in response) this.#handleBroadcast(response.broadcast);
    else if ("subscribed" in response) {
      this.#attempt = 0;
      for (const name of response.subscribed) {
        const topic = this.#topics.get(name);
        if (topic) topic.cursor ??= response.cursor;
      }
      this.#setState("open");
    } else if ("sent" in response) this.#resolve(response.sent.sendId, response);
    else if ("unsent" in response) this.#resolve(response.unsent.sendId, response);
    else for (const topic of response.refused) this.#handleBroadcast({ topic, type: "refused", data: {} });
  }

  #handleEvent(event: LiveEvent, message: Message | undefined): void {
    const topic = this.#topics.get(event.topic);
    if (!topic) return;
    topic.cursor = event.cursor;
    topic.recent = [...topic.recent.slice(-50), { event, message, at: Date.now() }];
    for (const listener of [...topic.listeners]) listener.event(event, message);
  }

  #handleBroadcast(broadcast: LiveBroadcast): void {
    const topic = this.#topics.get(broadcast.topic);
    if (!topic) return;
    if (stateTypes.includes(broadcast.type)) topic.state = broadcast;
    for (const listener of [...topic.listeners]) listener.broadcast?.(broadcast);
  }

  #resolve(sendId: string, response: SendResult): void {
    const pending = this.#unanswered.get(sendId);
    this.#unanswered.delete(sendId);
    clearTimeout(pending?.timer);
    pending?.resolve(response);
  }
}

let connection: LiveConnection | undefined;

/** The tab's connection. Only in the browser. */
export function ownConnection(): LiveConnection {
  if (connection) return connection;
  const made = new LiveConnection(() => new WebSocket(livePath) as Socket);
  window.addEventListener("pagehide", () => made.pause());
  window.addEventListener("pageshow", ({ persisted }) => persisted && made.resume());
  window.addEventListener("online", () => made.reconnectNow());
  connection = made;
  return made;
}
