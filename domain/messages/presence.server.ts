import { randomUUID } from "node:crypto";
import type { Broadcast, Broadcasts } from "#platform/events/events.ts";

export type PresenceOptions = {
  /** Milliseconds between two signs of life of a process. */
  beat: number;
  /** Without a sign for so long, a process is gone, and with it whoever was connected to it. */
  gone: number;
  linger: number;
};

const usual: PresenceOptions = { beat: 10_000, gone: 35_000, linger: 5_000 };

const idsAtOnce = 150;

const topic = "presence";

export function presenceTopic(userId: string): string {
  return `presence:${userId}`;
}

export class Presence {
  readonly #broadcasts: Broadcasts;
  readonly #node = randomUUID().slice(0, 8);
  readonly #options: PresenceOptions;
  readonly #own = new Map<string, number>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  readonly #others = new Map<string, { lastSeenAt: number; ids: Set<string> }>();
  readonly #beating: NodeJS.Timeout;
  readonly #leave: () => void;

  constructor(broadcasts: Broadcasts, options: Partial<PresenceOptions> = {}) {
    this.#broadcasts = broadcasts;
    this.#options = { ...usual, ...options };
    this.#leave = broadcasts.subscribe(topic, (broadcast) => this.#receive(broadcast));
    this.#beating = setInterval(() => this.#beat(), this.#options.beat).unref();
    broadcasts.whenOpened(() => this.#begin());
    this.#begin();
  }

  #begin(): void {
    for (const node of [...this.#others.keys()]) this.#forget(node);
    this.#say("hello", "");
    this.#broadcastAll();
  }

  get hasOtherProcesses(): boolean {
    return this.#others.size > 0;
  }

  isOnline(userId: string): boolean {
    return this.#own.has(userId) || [...this.#others.values()].some(({ ids }) => ids.has(userId));
  }

  enter(userId: string): () => void {
    clearTimeout(this.#leaving.get(userId));
    this.#leaving.delete(userId);
    const before = this.#own.get(userId);
    this.#own.set(userId, (before ?? 0) + 1);
    if (before === undefined) this.#changed(userId, "came");
    let inside = true;
    return () => {
      if (inside) this.#exit(userId);
      inside = false;
    };
  }

  #exit(userId: string): void {
    const count = (this.#own.get(userId) ?? 1) - 1;
    this.#own.set(userId, count);
    if (count > 0) return;
    const timer = setTimeout(() => {
      this.#leaving.delete(userId);
      this.#own.delete(userId);
      this.#changed(userId, "went");
    }, this.#options.linger).unref();
    this.#leaving.set(userId, timer);
  }

  close(): void {
    clearInterval(this.#beating);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    this.#leave();
    this.#say("bye", "");
  }

  #changed(userId: string, type: "came" | "went"): void {
    this.#announce(userId);
    this.#say(type, userId);
  }

  #announce(userId: string): void {
    this.#broadcasts.deliver({ topic: presenceTopic(userId), type: this.isOnline(userId) ? "online" : "offline", data: { userId } });
  }

  #say(type: string, ids: string): void {
    this.#broadcasts.send({ topic, type, data: { node: this.#node, ids } });
  }

  #beat(): void {
    this.#say("beat", "");
    const dead = [...this.#others].filter(([, { lastSeenAt }]) => performance.now() - lastSeenAt > this.#options.gone);
    for (const [node] of dead) this.#forget(node);
  }

  #forget(node: string): void {
    const ids = this.#others.get(node)?.ids ?? new Set();
    this.#others.delete(node);
    for (const id of ids) this.#announce(id);
  }

  #receive({ type, data }: Broadcast): void {
    const node = String(data.node);
    if (node === this.#node) return;
    if (type === "bye") this.#forget(node);
    else this.#learn(node, type, String(data.ids).split(" ").filter(Boolean));
  }

  #learn(node: string, type: string, ids: string[]): void {
    const isNew = !this.#others.has(node);
    const other = this.#others.get(node) ?? { lastSeenAt: 0, ids: new Set<string>() };
    this.#others.set(node, other);
    other.lastSeenAt = performance.now();
    for (const id of ids) {
      if (type === "went") other.ids.delete(id);
      else other.ids.add(id);
      this.#announce(id);
    }
    if (type === "hello") this.#broadcastAll();
    // We had lost sight of it, or it was here first: whom does it have?
    else if (isNew) this.#say("hello", "");
  }

  #broadcastAll(): void {
    const ids = [...this.#own.keys()];
    for (let start = 0; start < ids.length; start += idsAtOnce) this.#say("came", ids.slice(start, start + idsAtOnce).join(" "));
    if (ids.length === 0) this.#say("beat", "");
  }
}
