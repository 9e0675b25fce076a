import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { quantile } from "../scripts/percentiles.ts";

type Reply = Record<string, unknown>;

/** A client of the measured server. */
export type Client = {
  url: string;
  headers: Record<string, string>;
  hello: unknown;
  request(text: string, sendId: string): unknown;
  /** The id of an acknowledged message. */
  acknowledged(reply: Reply): string | undefined;
  /** The text of a message from the partner. */
  arrived(reply: Reply): string | undefined;
};

/** Per second, and in milliseconds. */
export type Load = { arrived: number; p50: number; p99: number };

/** Sends one message after the other, like the browser's queue. */
class Sender {
  readonly #client: Client;
  readonly #socket: WebSocket;
  readonly #due: number[] = [];
  readonly latencies: number[] = [];
  #busy = false;
  #count = 0;

  constructor(client: Client, socket: WebSocket) {
    this.#client = client;
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(JSON.parse(String(data)) as Reply));
  }

  /** Queues a message; it is sent once earlier ones are acknowledged. */
  send(): void {
    this.#due.push(performance.now());
    this.#next();
  }

  #next(): void {
    const due = this.#busy ? undefined : this.#due.shift();
    if (due === undefined || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#busy = true;
    this.#socket.send(JSON.stringify(this.#client.request(`${due} ${"a word and another ".repeat(3)}`, `${due}-${this.#count++}`)));
  }

  #receive(reply: Reply): void {
    const text = this.#client.arrived(reply);
    if (text) this.latencies.push(performance.now() - Number.parseFloat(text));
    if (reply.unsent) throw new Error(`A message was refused: ${JSON.stringify(reply.unsent)}`);
    if (!this.#client.acknowledged(reply)) return;
    this.#busy = false;
    this.#next();
  }

  reset(): void {
    this.#due.length = 0;
    this.latencies.length = 0;
  }
}

/** Opens a socket for each client, a few at a time. */
export async function connectAll(clients: Client[]): Promise<Sender[]> {
  const senders: Sender[] = [];
  for (let start = 0; start < clients.length; start += 50)
    senders.push(...(await Promise.all(clients.slice(start, start + 50).map(connect))));
  await wait(2_000);
  return senders;
}

async function connect(client: Client): Promise<Sender> {
  const socket = new WebSocket(client.url, { headers: client.headers, perMessageDeflate: false });
  await once(socket, "open");
  const sender = new Sender(client, socket);
  socket.send(JSON.stringify(client.hello));
  return sender;
}

/** Sends at a steady rate, however slow the server is, and waits up to ten seconds for late messages. */
export async function measure(senders: Sender[], { rate, seconds }: { rate: number; seconds: number }): Promise<Load> {
  for (const sender of senders) sender.reset();
  const start = performance.now();
  const total = rate * seconds;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * rate));
    for (; sent < due; sent++) senders[sent % senders.length]?.send();
    await wait(1);
  }
  const arrivedInTime = count(senders);
  for (let attempts = 100; attempts > 0 && count(senders) < total; attempts--) await wait(100);
  const latencies = senders.flatMap((sender) => sender.latencies);
  return { arrived: arrivedInTime / seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

const count = (senders: Sender[]) => senders.reduce((sum, { latencies }) => sum + latencies.length, 0);
