import { sql } from "kysely";
import type { Engine } from "../database/engine.ts";
import type { Database } from "../database/open.ts";
import type { Log } from "../log.ts";
import { TopicListeners } from "./topic-listeners.ts";

/** Something that matters only now, such as that someone is typing. It is kept nowhere: who doesn't hear it in this moment never will. */
export type Broadcast = { topic: string; type: string; data: Record<string, string | number | boolean | null> };

/** PostgreSQL carries 8,000 bytes in one notification. */
const maxBytes = 7_500;

export const broadcastChannel = "inkstead_broadcasts";

/** Broadcasts reach every process: through NOTIFY on PostgreSQL, and on SQLite there is but one. */
export class Broadcasts {
  readonly #db: Database;
  readonly #engine: Engine;
  readonly #report: Log;
  readonly #whenOpened: (() => void)[] = [];
  readonly #listeners: TopicListeners<Broadcast>;

  constructor(db: Database, engine: Engine, report: Log) {
    this.#db = db;
    this.#engine = engine;
    this.#report = report;
    this.#listeners = new TopicListeners(report);
  }

  /** Returns what ends it. */
  subscribe(topic: string, listener: (broadcast: Broadcast) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  whenOpened(listener: () => void): void {
    this.#whenOpened.push(listener);
  }

  opened(): void {
    for (const listener of this.#whenOpened) listener();
  }

  send(broadcast: Broadcast): void {
    if (this.#engine === "sqlite") this.deliver(broadcast);
    else this.#callOut(broadcast);
  }

  #callOut(broadcast: Broadcast): void {
    const payload = JSON.stringify(broadcast);
    if (Buffer.byteLength(payload) > maxBytes) throw new Error(`${broadcast.type} is too long for a broadcast`);
    sql`select pg_notify(${broadcastChannel}, ${payload})`.execute(this.#db).catch((err: unknown) => {
      this.#report.debug({ err, type: broadcast.type }, "a broadcast was lost");
    });
  }

  deliver(broadcast: Broadcast): void {
    this.#listeners.publish(broadcast);
  }

  receive(payload: string): void {
    try {
      this.deliver(JSON.parse(payload) as Broadcast);
    } catch (err) {
      this.#report.warn({ err }, "a broadcast was not understood");
    }
  }
}
