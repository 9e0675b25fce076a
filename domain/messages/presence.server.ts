import { randomUUID } from "node:crypto";
import type { Broadcast, Broadcasts } from "#platform/events/events.ts";

export type PresenceOptions = {
  heartbeatMs: number;
  /** After this long without a heartbeat, a process and its connections count as gone. */
  processTimeoutMs: number;
  /** The time from the last disconnect to offline. */
  lingerMs: number;
};

const defaults: PresenceOptions = { heartbeatMs: 10_000, processTimeoutMs: 35_000, lingerMs: 5_000 };

/** Heartbeats between two broadcasts of all members, as a broadcast of who came or went may be lost. */
const beatsPerRoster = 12;
/** Heartbeats after which a member who isn't named again counts as gone. */
const beatsUntilGone = 30;

/** Limited by the size of a broadcast. */
const idsPerBroadcast = 150;

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
  /** `ids`: when each member was last named. */
  readonly #others = new Map<string, { lastSeenAt: number; ids: Map<string, number> }>();
  #beats = 0;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #unsubscribe: () => void;

  constructor(broadcasts: Broadcasts, options: Partial<PresenceOptions> = {}) {
    this.#broadcasts = broadcasts;
    this.#options = { ...defaults, ...options };
    this.#unsubscribe = broadcasts.subscribe(topic, (broadcast) => this.#receive(broadcast));
    this.#heartbeat = setInterval(() => this.#beat(), this.#options.heartbeatMs).unref();
    broadcasts.onOpen(() => this.#begin());
    this.#begin();
  }

  #begin(): void {
    for (const node of [...this.#others.keys()]) this.#forget(node);
    this.#tellProcesses("hello", "");
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
    }, this.#options.lingerMs).unref();
    this.#leaving.set(userId, timer);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    this.#unsubscribe();
    this.#tellProcesses("bye", "");
  }

  #changed(userId: string, type: "came" | "went"): void {
    this.#announce(userId);
    this.#tellProcesses(type, userId);
  }

  #announce(userId: string): void {
    this.#broadcasts.deliver({ topic: presenceTopic(userId), type: this.isOnline(userId) ? "online" : "offline", data: { userId } });
  }

  #tellProcesses(type: string, ids: string): void {
    this.#broadcasts.send({ topic, type, data: { node: this.#node, ids } });
  }

  #beat(): void {
    if (++this.#beats % beatsPerRoster === 0) this.#broadcastAll();
    else this.#tellProcesses("beat", "");
    const now = performance.now();
    const { heartbeatMs, processTimeoutMs } = this.#options;
    for (const [node, { lastSeenAt, ids }] of this.#others) {
      if (now - lastSeenAt > processTimeoutMs) this.#forget(node);
      else for (const [id, namedAt] of ids) if (now - namedAt > heartbeatMs * beatsUntilGone && ids.delete(id)) this.#announce(id);
    }
  }

  #forget(node: string): void {
    const ids = this.#others.get(node)?.ids ?? new Map();
    this.#others.delete(node);
    for (const id of ids.keys()) this.#announce(id);
  }

  #receive({ type, data }: Broadcast): void {
    const node = String(data.node);
    if (node === this.#node) return;
    if (type === "bye") this.#forget(node);
    else this.#learn(node, type, String(data.ids).split(" ").filter(Boolean));
  }

  #learn(node: string, type: string, ids: string[]): void {
    const isNew = !this.#others.has(node);
    const other = this.#others.get(node) ?? { lastSeenAt: 0, ids: new Map<string, number>() };
    this.#others.set(node, other);
    other.lastSeenAt = performance.now();
    for (const id of ids) {
      const wasOnline = this.isOnline(id);
      if (type === "went") other.ids.delete(id);
      else other.ids.set(id, other.lastSeenAt);
      if (this.isOnline(id) !== wasOnline) this.#announce(id);
    }
    if (type === "hello") this.#broadcastAll();
    // The other process started first or was silent for long: request its members.
    else if (isNew) this.#tellProcesses("hello", "");
  }

  #broadcastAll(): void {
    const ids = [...this.#own.keys()];
    for (let start = 0; start < ids.length; start += idsPerBroadcast)
      this.#tellProcesses("came", ids.slice(start, start + idsPerBroadcast).join(" "));
    if (ids.length === 0) this.#tellProcesses("beat", "");
  }
}
