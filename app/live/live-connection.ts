import { type LiveAnswer, type LiveEvent, type LiveRequest, stopCode } from "#domain/live.ts";

export type LiveListener = (event: LiveEvent) => void;

/** `after`: the cursor that came with the page; without one, what happens from now on. `person`: who looks, null for a visitor. */
export type Listening = { topics: string[]; after?: string | undefined; person: string | null };

/** What this needs of a browser's WebSocket. */
export type Socket = Pick<WebSocket, "send" | "close" | "readyState"> & {
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((closed: { code: number }) => void) | null;
};

type Topic = { cursor: string | undefined; listeners: Set<LiveListener> };

const openState = 1;
const idle = 5_000;
const second = 1_000;

/** Milliseconds before the nth try to connect again. */
export function waitBefore(attempt: number): number {
  if (attempt <= 5) return second;
  if (attempt <= 15) return 5 * second;
  return (attempt <= 100 ? 10 : 60) * second;
}

/** The tab's one connection: there while somebody listens, back again when it is lost, nothing missed meanwhile. */
export class LiveConnection {
  readonly #open: () => Socket;
  readonly #topics = new Map<string, Topic>();
  #socket: Socket | undefined;
  #person: string | null | undefined;
  #attempt = 0;
  #stopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(open: () => Socket) {
    this.#open = open;
  }

  /** Returns what ends it. */
  listen({ topics, after, person }: Listening, listener: LiveListener): () => void {
    this.#become(person);
    const fresh = topics.filter((topic) => !this.#topics.has(topic));
    for (const topic of fresh) this.#topics.set(topic, { cursor: after, listeners: new Set() });
    for (const topic of topics) this.#topics.get(topic)?.listeners.add(listener);
    this.#connect();
    this.#subscribe(fresh);
    return () => this.#leave(topics, listener);
  }

  /** For a page that is put aside: browsers don't keep one with an open connection ready for the way back. */
  pause(): void {
    this.#drop();
  }

  resume(): void {
    if (this.#topics.size > 0) this.#connect();
  }

  /** Who somebody is, is asked once when a connection opens: another person needs another one. */
  #become(person: string | null): void {
    if (this.#person === person) return;
    this.#person = person;
    this.#stopped = false;
    this.#attempt = 0;
    this.#drop();
  }

  #leave(topics: string[], listener: LiveListener): void {
    const left = topics.filter((name) => {
      const topic = this.#topics.get(name);
      topic?.listeners.delete(listener);
      return topic?.listeners.size === 0 && this.#topics.delete(name);
    });
    if (left.length > 0) this.#say({ unsubscribe: left });
    if (this.#topics.size > 0) return;
    clearTimeout(this.#timer);
    // The next page may listen too.
    this.#timer = setTimeout(() => this.#topics.size === 0 && this.#drop(), idle);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #connect(): void {
    if (this.#socket || this.#stopped) return;
    clearTimeout(this.#timer);
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => this.#subscribe([...this.#topics.keys()]);
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as LiveAnswer);
    socket.onclose = ({ code }) => {
      this.#socket = undefined;
      this.#stopped = code === stopCode;
      if (this.#stopped || this.#topics.size === 0) return;
      // Apart by up to a third: after a restart everybody comes back, but not in the same moment.
      const wait = waitBefore(++this.#attempt) * (1 + Math.random() / 3);
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
    for (const [after, subscribe] of byCursor) this.#say({ subscribe, after });
  }

  #say(request: LiveRequest): void {
    if (this.#socket?.readyState === openState) this.#socket.send(JSON.stringify(request));
  }

  #hear(answer: LiveAnswer): void {
    if ("event" in answer) {
      const topic = this.#topics.get(answer.event.topic);
      if (!topic) return;
      topic.cursor = answer.event.cursor;
      for (const listener of [...topic.listeners]) listener(answer.event);
    } else if ("subscribed" in answer) {
      this.#attempt = 0;
      for (const name of answer.subscribed) {
        const topic = this.#topics.get(name);
        if (topic) topic.cursor ??= answer.cursor;
      }
    }
  }
}
