import { Listeners } from "#app/browser/listeners.ts";
import { ownConnection, reconnectDelayMs, responseTimeoutMs } from "#app/live/live-connection.ts";
import type { SentMessage } from "#domain/messages/message.ts";
import type { RefusalCode } from "#domain/refusals.ts";

/** Not acknowledged yet. `failed`: why it was refused; not retried by itself. `delayed`: failed several times and still retried. */
export type Outgoing = { sendId: string; to: string; text: string; createdAt: number; failed?: string; delayed?: true };

export type Outcome = { sent: SentMessage } | { refused: { code: RefusalCode | "failed"; message: string } };

export type QueueStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

type Parts = {
  person: string;
  storage: QueueStorage;
  /** @throws if it is unknown whether the message arrived. */
  deliver: (message: Outgoing) => Promise<Outcome>;
  now?: () => number;
  wait?: (milliseconds: number) => Promise<void>;
};

/** Tries before the sender sees the failure. */
const triesBeforeNotice = 3;

const temporaryRefusals: readonly string[] = ["too-many", "unavailable", "maintenance", "failed"];

/**
 * A person's messages until the server acknowledges them. Each is in localStorage, so a reload or a crash loses none. They are sent one at
 * a time, those to one partner in order, and retried until there is an answer. The server treats all tries with one `sendId`, also from
 * other tabs, as one message.
 */
export class MessageQueue {
  readonly #parts: Required<Parts>;
  readonly #prefix: string;
  readonly #changes = new Listeners();
  readonly #sent = new Listeners<[message: Outgoing, sent: SentMessage]>();
  readonly #failures = new Listeners();
  /** Returns the function that unsubscribes, as all of these. */
  readonly listen = this.#changes.add;
  readonly onSent = this.#sent.add;
  /** Calls the listener once for each message that was refused or delayed. */
  readonly onFailure = this.#failures.add;
  readonly #unstored = new Set<string>();
  /** Partners to whom a message was refused for now, until the next pause is over. Messages to others are sent meanwhile. */
  readonly #putOff = new Set<string>();
  #items: Outgoing[] = [];
  #running = false;
  #tries = 0;
  #stopped = false;
  #closed = false;
  #wake: () => void = () => {};

  constructor(parts: Parts) {
    const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    this.#parts = { now: () => Date.now(), wait, ...parts };
    this.#prefix = `inkstead:outbox:${parts.person}:`;
    this.reload();
  }

  /** Oldest first. The same array until something changes. */
  get items(): readonly Outgoing[] {
    return this.#items;
  }

  /** Whether closing the page would lose a message: the browser's storage is full or forbidden. */
  get hasUnstored(): boolean {
    return this.#items.some(({ sendId }) => this.#unstored.has(sendId));
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  add(to: string, text: string): Outgoing {
    // Keeps the order of two from the same millisecond over a reload.
    const createdAt = Math.max(this.#parts.now(), (this.#items.at(-1)?.createdAt ?? 0) + 1);
    const item = { sendId: crypto.randomUUID(), to, text, createdAt };
    this.#keep(item);
    this.flush();
    return item;
  }

  retry(sendId: string): void {
    const item = this.#items.find((each) => each.sendId === sendId);
    if (!item) return;
    const { failed: _failed, delayed: _delayed, ...again } = item;
    this.#tries = 0;
    this.#keep(again);
    this.flush();
  }

  discard(sendId: string): void {
    if (this.#items.find(({ failed }) => failed === undefined)?.sendId === sendId) this.#tries = 0;
    this.#set(this.#items.filter((item) => item.sendId !== sendId));
    try {
      this.#parts.storage.removeItem(this.#prefix + sendId);
    } catch {}
  }

  /** Sends nothing more; the messages stay in storage. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  flush(): void {
    if (this.#closed) return;
    this.#stopped = false;
    this.#wake();
    if (!this.#running) void this.#run();
  }

  reload(): void {
    const { storage } = this.#parts;
    const kept: Outgoing[] = [];
    try {
      for (let index = 0; index < storage.length; index++) {
        const key = storage.key(index);
        const item = key?.startsWith(this.#prefix) ? read(storage.getItem(key)) : undefined;
        if (item) kept.push(item);
      }
    } catch {} // The browser forbids storage.
    const ids = new Set(kept.map(({ sendId }) => sendId));
    const delayed = new Set(this.#items.filter((item) => item.delayed).map(({ sendId }) => sendId));
    const all = [
      ...kept.map((item) => (delayed.has(item.sendId) ? { ...item, delayed: true as const } : item)),
      ...this.#items.filter(({ sendId }) => !ids.has(sendId) && this.#unstored.has(sendId)),
    ];
    this.#set(all.sort((one, other) => one.createdAt - other.createdAt));
  }

  #keep(item: Outgoing): void {
    try {
      this.#parts.storage.setItem(this.#prefix + item.sendId, JSON.stringify(item));
    } catch {
      this.#unstored.add(item.sendId);
    }
    const others = this.#items.filter(({ sendId }) => sendId !== item.sendId);
    this.#set([...others, item].sort((one, other) => one.createdAt - other.createdAt));
  }

  #set(items: Outgoing[]): void {
    this.#items = items;
    this.#changes.notify();
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#tries = 0;
    for (;;) {
      if (this.#putOff.size > 0 && !this.#next()) await this.#pause();
      const item = this.#next();
      if (!item || this.#stopped || this.#closed) break;
      const outcome = await this.#parts.deliver(item).catch(() => undefined);
      if (outcome && "sent" in outcome) {
        this.#sent.notify(item, outcome.sent);
        this.discard(item.sendId);
      } else if (outcome && isFinal(outcome.refused)) this.#refused(item, outcome.refused);
      else {
        this.#failed(item);
        if (outcome) this.#putOff.add(item.to);
        else await this.#pause();
      }
    }
    this.#running = false;
  }

  #next(): Outgoing | undefined {
    return this.#items.find(({ failed, to }) => failed === undefined && !this.#putOff.has(to));
  }

  #refused(item: Outgoing, { code, message }: { code: string; message: string }): void {
    if (code !== "sign-in-required") {
      this.#keep({ ...item, failed: message });
      this.#failures.notify();
      return;
    }
    this.#stopped = true;
    this.#set([...this.#items]);
  }

  #failed({ sendId }: Outgoing): void {
    if (this.#tries + 1 < triesBeforeNotice || !this.#items.some((item) => item.sendId === sendId && !item.delayed)) return;
    this.#set(this.#items.map((item) => (item.sendId === sendId ? { ...item, delayed: true } : item)));
    this.#failures.notify();
  }

  async #pause(): Promise<void> {
    const wake = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([this.#parts.wait(reconnectDelayMs(++this.#tries)), wake]);
    this.#putOff.clear();
  }
}

/** The server's limits and failures answer without a code. */
function isFinal({ code }: { code?: unknown }): boolean {
  return typeof code === "string" && !temporaryRefusals.includes(code);
}

function read(kept: string | null): Outgoing | undefined {
  try {
    const item = JSON.parse(kept ?? "null") as Partial<Outgoing> | null;
    const { sendId, to, text, createdAt, failed } = item ?? {};
    if (typeof sendId !== "string" || typeof to !== "string" || typeof text !== "string") return undefined;
    return { sendId, to, text, createdAt: Number(createdAt) || 0, ...(typeof failed === "string" ? { failed } : {}) };
  } catch {
    return undefined;
  }
}

let opened: { person: string; queue: MessageQueue } | undefined;

/** The person's queue in this tab, which closes another person's; only in the browser. */
export function ownMessageQueue(person: string): MessageQueue {
  if (opened?.person === person) return opened.queue;
  if (opened) opened.queue.close();
  else {
    window.addEventListener("storage", () => opened?.queue.reload());
    window.addEventListener("online", () => opened?.queue.flush());
    ownConnection().watch(() => ownConnection().state === "open" && opened?.queue.flush());
  }
  const queue = new MessageQueue({ person, storage: window.localStorage, deliver: (message) => deliver(person, message) });
  queue.listen(() => window[queue.hasUnstored ? "addEventListener" : "removeEventListener"]("beforeunload", preventUnload));
  opened = { person, queue };
  return queue;
}

function preventUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** `from`: the browser may have been signed in with another account since. */
async function deliver(from: string, { to, text, sendId }: Outgoing): Promise<Outcome> {
  if (ownConnection().state === "open") {
    const response = await ownConnection().sendMessage({ from, to, text, sendId });
    return "sent" in response ? response : { refused: response.unsent };
  }
  const body = new URLSearchParams({ from, text, sendId });
  const response = await fetch(`/messages/${to}/send`, { method: "POST", body, signal: AbortSignal.timeout(responseTimeoutMs) });
  const result = await response.json();
  return response.ok ? { sent: result } : { refused: result };
}
