import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.ts";

export const listenerName = "inkstead events";

const minReconnectDelayMs = 100;
const maxReconnectDelayMs = 5_000;
const heartbeatMs = 15_000;

export type ListenerOptions = {
  channels: Record<string, (payload: string) => void>;
  opened: () => void;
  closed: () => void;
};

/** A dedicated connection that receives notifications. Reconnects after growing delays. */
export class PostgresListener {
  readonly #url: string;
  readonly #options: ListenerOptions;
  readonly #report: Log;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;

  constructor(url: string, options: ListenerOptions, report: Log) {
    this.#url = url;
    this.#options = options;
    this.#report = report;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#listen(() => {
          failures = 0;
        });
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        if (failures === 0) this.#report.warn({ err: error }, "the event listener lost its connection");
      }
      const pause = Math.min(minReconnectDelayMs * 2 ** failures++, maxReconnectDelayMs);
      await wait(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves when the connection ends or, as a connecting client reports no end, on `close`. */
  async #listen(opened: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: listenerName,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve, reject) => {
      client.once("end", resolve);
      client.once("error", reject);
    });
    ended.catch(() => {}); // It may fail before it is awaited.
    client.on("error", () => {});
    client.on("notification", ({ channel, payload }) => this.#options.channels[channel]?.(payload ?? ""));
    // A connection that a router dropped reports nothing until it is used.
    const heartbeat = setInterval(() => void client.query("select 1").catch(() => client.end()), heartbeatMs);
    try {
      await Promise.race([this.#subscribe(client, opened).then(() => ended), once(this.#closing.signal, "abort")]);
    } finally {
      clearInterval(heartbeat);
      this.#options.closed();
      void client.end().catch(() => {});
    }
  }

  async #subscribe(client: pg.Client, opened: () => void): Promise<void> {
    await client.connect();
    for (const channel of Object.keys(this.#options.channels)) await client.query(`listen ${channel}`);
    opened();
    this.#options.opened();
  }
}
