import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import type { LiveEvent, LiveRequest, LiveResponse } from "#domain/live.ts";
import type { SocketCounter } from "#server/limits/sockets.ts";
import { type LiveLimits, openLive } from "#server/live/live.ts";
import { openSockets, type Sockets } from "#server/sockets.ts";
import { openWorld, signIn, type World } from "../world.ts";

export type Tab = {
  socket: WebSocket;
  /** Without heartbeats. */
  received: LiveResponse[];
  say(request: LiveRequest): void;
  events(): LiveEvent[];
  closed: Promise<number>;
};

export const heartbeat = '{"refused":[]}';

type Limits = Partial<LiveLimits> & { counter?: SocketCounter };

/** A site's live endpoint on a port, and tabs connected to it. */
export class LiveServer {
  readonly world: World;
  routes!: Sockets;
  #server!: Server;
  #tabs: Tab[] = [];

  constructor(world: World) {
    this.world = world;
  }

  static async open(): Promise<LiveServer> {
    const live = new LiveServer(await openWorld());
    await live.#listen();
    return live;
  }

  async close(): Promise<void> {
    await this.#shut();
    await this.world.close();
  }

  async reopen(limits: Limits, site = this.world.site): Promise<void> {
    await this.#shut();
    await this.#listen(limits, site);
  }

  async #listen({ counter, ...limits }: Limits = {}, site = this.world.site): Promise<void> {
    const endpoints = [openLive(site, limits)];
    this.routes = openSockets(site, { ...(counter && { counter }), countUpgrade: () => undefined, endpoints });
    this.#server = createServer().on("upgrade", this.routes.upgrade).listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async #shut(): Promise<void> {
    this.routes.close();
    for (const tab of this.#tabs) tab.socket.terminate();
    this.#tabs = [];
    this.#server.close();
    await once(this.#server, "close");
  }

  /** A browser's tab; other `headers` make it another client. */
  async connect(headers: Record<string, string> = {}): Promise<Tab> {
    const { port } = this.#server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { origin: "http://inkstead.test", ...headers } });
    const received: LiveResponse[] = [];
    socket.on("message", (data) => String(data) !== heartbeat && received.push(JSON.parse(String(data)) as LiveResponse));
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    const tab: Tab = {
      socket,
      received,
      closed,
      say: (request) => socket.send(JSON.stringify(request)),
      events: () => received.flatMap((answer) => ("event" in answer ? [answer.event] : [])),
    };
    await once(socket, "open");
    this.#tabs.push(tab);
    return tab;
  }

  async cookieOf(person: "maren" | "tobias" | "ruth" | "salma"): Promise<{ cookie: string }> {
    return { cookie: (await signIn(this.world, this.world[person])).cookie };
  }

  connections(): Promise<number> {
    return new Promise((resolve) => this.#server.getConnections((_error, count) => resolve(count)));
  }
}

export const types = (tab: Tab) => tab.events().map(({ type }) => type);
