import { type LiveAnswer, type LiveBroadcast, type LiveEvent, type LiveRequest, stopCode } from "#domain/live.ts";
import type { Message } from "#domain/messages/message.ts";
import { seconds } from "#platform/time.ts";

export type LiveListener = (event: LiveEvent, message?: Message) => void;
export type BroadcastListener = (broadcast: LiveBroadcast) => void;

/** `stopped`: the session has ended, and it does not come back by itself. */
export type LiveState = "idle" | "connecting" | "open" | "waiting" | "stopped";

/** `after`: the cursor that came with the page; without one, what happens from now on. `person`: who looks, null for a visitor. */
export type Subscription = { topics: string[]; after?: string | undefined; person: string | null };

/** What this needs of a browser's WebSocket. */
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
  state?: LiveBroadcast;
};

type SendResult = Extract<LiveAnswer, { sent: unknown } | { unsent: unknown }>;
type PendingRequest = { resolve(answer: SendResult): void; reject(error: Error): void; timer: ReturnType<typeof setTimeout> };

const states = ["online", "offline"];

const openState = 1;
const idleTimeoutMs = seconds(5);
const answerTimeoutMs = seconds(10);
/** For so long after it was heard, an event is handed on to who begins to listen with a cursor from before it. */
const replayWindowMs = seconds(15);

/** Milliseconds at most before the nth try to connect again. */
export function waitBefore(attempt: number): number {
  if (attempt <= 5) return seconds(1);
  if (attempt <= 15) return seconds(5);
  return seconds(attempt <= 100 ? 10 : 60);
}

export class LiveConnection {
  readonly #open: () => Socket;
  readonly #topics = new Map<string, Topic>();
  #socket: Socket | undefined;
  #person: string | null | undefined;
  #attempt = 0;
  #stopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: LiveState = "idle";
  readonly #watchers = new Set<() => void>();
  readonly #unanswered = new Map<string, PendingRequest>();

  constructor(open: () => Socket) {
    this.#open = open;
  }

  /** Returns what ends it. */
  listen({ topics, after, person }: Subscription, event: LiveListener, broadcast?: BroadcastListener): () => void {
    this.#setPerson(person);
    const listener = { event, broadcast };
    const fresh = topics.filter((topic) => !this.#topics.has(topic));
    for (const topic of fresh) this.#topics.set(topic, { cursor: after, listeners: new Set(), recent: [] });
    for (const name of topics) {
      const topic = this.#topics.get(name);
      topic?.listeners.add(listener);
      if (topic) topic.cursor ??= after;
      // Said once, when the first began to listen.
      if (topic?.state) broadcast?.(topic.state);
    }
    this.#connect();
    this.#subscribe(fresh);
    if (after !== undefined) this.#replay(topics, event, after);
    return () => this.#leave(topics, listener);
  }

  /**
   * What came between the loading of a page and this moment went to others that listened already. Where the cursor isn't
   * among what they heard, all of the last seconds is handed on: listeners can take an event twice.
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

  /** Calls whenever `state` changes. Returns what ends it. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #turn(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Sends a message. @throws Error when there is no connection or no answer: then it may have arrived or not. */
  post(message: { to: string; text: string; sendId: string }): Promise<SendResult> {
    if (this.#socket?.readyState !== openState) return Promise.reject(new Error("There’s no connection"));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(message.sendId), answerTimeoutMs);
      this.#unanswered.set(message.sendId, { resolve, reject, timer });
      this.#request({ send: message });
    });
  }

  #giveUp(sendId: string): void {
    const waiting = this.#unanswered.get(sendId);
    this.#unanswered.delete(sendId);
    clearTimeout(waiting?.timer);
    waiting?.reject(new Error("No answer from the server"));
  }

  typing(personId: string): void {
    this.#request({ typing: personId });
  }

  reconnectNow(): void {
    if (this.#socket || this.#stopped || this.#topics.size === 0) return;
    this.#attempt = 0;
    this.#connect();
  }

  /** For a page that is put aside: browsers don't keep one with an open connection ready for the way back. */
  pause(): void {
    this.#drop();
  }

  resume(): void {
    if (this.#topics.size > 0) this.#connect();
  }

  #setPerson(person: string | null): void {
    if (this.#person === person) return;
    this.#person = person;
    this.#stopped = false;
    this.#attempt = 0;
    this.#drop();
  }

  #leave(topics: string[], listener: Listener): void {
    const left = topics.filter((name) => {
      const topic = this.#topics.get(name);
      topic?.listeners.delete(listener);
      return topic?.listeners.size === 0 && this.#topics.delete(name);
    });
    if (left.length > 0) this.#request({ unsubscribe: left });
    if (this.#topics.size > 0) return;
    clearTimeout(this.#timer);
    // The next page may listen too.
    this.#timer = setTimeout(() => this.#topics.size === 0 && this.#drop(), idleTimeoutMs);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#turn("idle");
    for (const sendId of [...this.#unanswered.keys()]) this.#giveUp(sendId);
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #connect(): void {
    if (this.#socket || this.#stopped) return;
    clearTimeout(this.#timer);
    const socket = this.#open();
    this.#socket = socket;
    this.#turn("connecting");
    socket.onopen = () => this.#subscribe([...this.#topics.keys()]);
    socket.onmessage = ({ data }) => this.#handle(JSON.parse(String(data)) as LiveAnswer);
    socket.onclose = ({ code }) => {
      this.#socket = undefined;
      this.#stopped = code === stopCode;
      this.#turn(this.#stopped ? "stopped" : "waiting");
      for (const sendId of [...this.#unanswered.keys()]) this.#giveUp(sendId);
      if (this.#stopped || this.#topics.size === 0) return;
      // Apart by up to a fifth: after a restart everybody comes back, but not in the same moment.
      const wait = waitBefore(++this.#attempt) * (1 - Math.random() / 5);
      this.#timer = setTimeout(() => this.#connect(), wait);
    };
  }

  /** Topics that were heard up to the same place are asked for together. */
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

  #handle(answer: LiveAnswer): void {
    if ("event" in answer) this.#handleEvent(answer.event, answer.message);
    else if ("broadcast" in answer) this.#receiveBroadcast(answer.broadcast);
    else if ("subscribed" in answer) {
      this.#attempt = 0;
      for (const name of answer.subscribed) {
        const topic = this.#topics.get(name);
        if (topic) topic.cursor ??= answer.cursor;
      }
      this.#turn("open");
    } else if ("sent" in answer) this.#answered(answer.sent.sendId, answer);
    else if ("unsent" in answer) this.#answered(answer.unsent.sendId, answer);
    else for (const topic of answer.refused) this.#receiveBroadcast({ topic, type: "refused", data: {} });
  }

  #handleEvent(event: LiveEvent, message: Message | undefined): void {
    const topic = this.#topics.get(event.topic);
    if (!topic) return;
    topic.cursor = event.cursor;
    topic.recent = [...topic.recent.slice(-50), { event, message, at: Date.now() }];
    for (const listener of [...topic.listeners]) listener.event(event, message);
  }

  #receiveBroadcast(broadcast: LiveBroadcast): void {
    const topic = this.#topics.get(broadcast.topic);
    if (!topic) return;
    if (states.includes(broadcast.type)) topic.state = broadcast;
    for (const listener of [...topic.listeners]) listener.broadcast?.(broadcast);
  }

  #answered(sendId: string, answer: SendResult): void {
    const waiting = this.#unanswered.get(sendId);
    this.#unanswered.delete(sendId);
    clearTimeout(waiting?.timer);
    waiting?.resolve(answer);
  }
}
