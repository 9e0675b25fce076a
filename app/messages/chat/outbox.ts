import { reconnectDelayMs } from "#app/live/live-connection.ts";
import type { SentMessage } from "#domain/messages/message.ts";
import type { RefusalCode } from "#domain/refusals.ts";

/**
 * A text that has not been acknowledged yet. `failed` says why it was refused; such a one waits for its writer. `delayed`: it has been
 * tried in vain a few times, and is still being tried.
 */
export type Outgoing = { sendId: string; to: string; text: string; createdAt: number; failed?: string; delayed?: true };

export type Outcome = { sent: SentMessage } | { refused: { code: RefusalCode | "failed"; message: string } };

/** What this needs of localStorage. */
export type OutboxStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

type Parts = {
  person: string;
  storage: OutboxStorage;
  /** @throws when it can't be told whether it arrived. */
  deliver: (message: Outgoing) => Promise<Outcome>;
  /** Once for each text that was refused or tried in vain. */
  onFailure?: () => void;
  now?: () => number;
  wait?: (milliseconds: number) => Promise<void>;
};

/** Tries after which the writer is told. */
const silentTries = 3;

const temporaryRefusals: readonly string[] = ["too-many", "unavailable", "failed"];

/**
 * What a person has sent, until the server says that it has it. Each text lies in the browser's own storage from the first
 * moment, so that a reload or a crash loses none; they go out one by one and in order, again and again until there is an
 * answer. The id that each has makes all these tries one message. Several tabs may send the same.
 */
export class Outbox {
  readonly #parts: Required<Parts>;
  readonly #prefix: string;
  readonly #listeners = new Set<() => void>();
  readonly #sentListeners = new Set<(message: Outgoing, sent: SentMessage) => void>();
  #items: Outgoing[] = [];
  #running = false;
  #tries = 0;
  #stopped = false;
  #wake: () => void = () => {};

  constructor(parts: Parts) {
    const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    this.#parts = { now: () => Date.now(), wait, onFailure: () => {}, ...parts };
    this.#prefix = `inkstead:outbox:${parts.person}:`;
    this.reload();
  }

  /** All that waits, oldest first. The same array until something changes. */
  get items(): readonly Outgoing[] {
    return this.#items;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  add(to: string, text: string): Outgoing {
    // Two of the same moment stay in their order over a reload.
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
    if (this.#next()?.sendId === sendId) this.#tries = 0;
    this.#set(this.#items.filter((item) => item.sendId !== sendId));
    try {
      this.#parts.storage.removeItem(this.#prefix + sendId);
    } catch {}
  }

  flush(): void {
    this.#stopped = false;
    this.#wake();
    if (!this.#running) void this.#run();
  }

  reload(): void {
    const { storage: shelf } = this.#parts;
    const kept: Outgoing[] = [];
    try {
      for (let index = 0; index < shelf.length; index++) {
        const key = shelf.key(index);
        const item = key?.startsWith(this.#prefix) ? read(shelf.getItem(key)) : undefined;
        if (item) kept.push(item);
      }
    } catch {} // A browser without leave to keep anything.
    const ids = new Set(kept.map(({ sendId }) => sendId));
    const delayed = new Set(this.#items.filter((item) => item.delayed).map(({ sendId }) => sendId));
    const all = [
      ...kept.map((item) => (delayed.has(item.sendId) ? { ...item, delayed: true as const } : item)),
      ...this.#items.filter(({ sendId }) => !ids.has(sendId) && this.#unkept.has(sendId)),
    ];
    this.#set(all.sort((one, other) => one.createdAt - other.createdAt));
  }

  /** Returns what ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hears of each text that was acknowledged. Returns what ends it. */
  onSent(listener: (message: Outgoing, sent: SentMessage) => void): () => void {
    this.#sentListeners.add(listener);
    return () => this.#sentListeners.delete(listener);
  }

  readonly #unkept = new Set<string>();

  #keep(item: Outgoing): void {
    const others = this.#items.filter(({ sendId }) => sendId !== item.sendId);
    this.#set([...others, item].sort((one, other) => one.createdAt - other.createdAt));
    try {
      this.#parts.storage.setItem(this.#prefix + item.sendId, JSON.stringify(item));
    } catch {
      this.#unkept.add(item.sendId);
    }
  }

  #set(items: Outgoing[]): void {
    this.#items = items;
    for (const listener of [...this.#listeners]) listener();
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#tries = 0;
    for (let item = this.#next(); item && !this.#stopped; item = this.#next()) {
      const outcome = await this.#parts.deliver(item).catch(() => undefined);
      if (outcome && "sent" in outcome) {
        for (const listener of [...this.#sentListeners]) listener(item, outcome.sent);
        this.discard(item.sendId);
        this.#tries = 0;
      } else if (outcome && !temporaryRefusals.includes(outcome.refused.code)) this.#refused(item, outcome.refused);
      else await this.#failed(item);
    }
    this.#running = false;
  }

  #next(): Outgoing | undefined {
    return this.#items.find(({ failed }) => failed === undefined);
  }

  #refused(item: Outgoing, { code, message }: { code: string; message: string }): void {
    if (code !== "sign-in-first") {
      this.#keep({ ...item, failed: message });
      this.#parts.onFailure();
      return;
    }
    this.#stopped = true;
    this.#set([...this.#items]);
  }

  async #failed({ sendId }: Outgoing): Promise<void> {
    if (++this.#tries === silentTries && this.#items.some((item) => item.sendId === sendId && !item.delayed)) {
      this.#set(this.#items.map((item) => (item.sendId === sendId ? { ...item, delayed: true } : item)));
      this.#parts.onFailure();
    }
    await this.#pause(this.#tries);
  }

  async #pause(tries: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([this.#parts.wait(reconnectDelayMs(tries)), woken]);
  }
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
