import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Site } from "#domain/site.ts";
import { clientIpReader } from "./limits/client-ip.ts";
import { refuseUpgrade } from "./limits/refuse-upgrade.ts";
import type { RequestLimiter } from "./limits/request-limiter.ts";
import { SocketCounter, type SocketSlot } from "./limits/sockets.ts";
import { urlLimits } from "./limits/table.ts";

export type SocketEndpoint = {
  path: string;
  /** Bytes in one message. */
  maxPayload: number;
  /** @returns the status of a refusal, or what takes the opened socket. */
  admit(request: IncomingMessage, slot: SocketSlot, ip: string): Promise<403 | 429 | 503 | ((socket: WebSocket) => void)>;
  close(): void;
};

type SocketParts = {
  proxies?: string[];
  counter?: SocketCounter;
  countUpgrade: RequestLimiter["countUpgrade"];
  endpoints: SocketEndpoint[];
};

export type Sockets = { upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void; close(): void };

/** WebSocket endpoints behind the limits, which the routes of other requests don't enforce for upgrades. */
export function openSockets(site: Site, { proxies, counter = new SocketCounter(), countUpgrade, endpoints }: SocketParts): Sockets {
  const clientIp = clientIpReader(proxies);
  const byPath = new Map(
    endpoints.map(({ path, maxPayload, admit }) => {
      const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload, perMessageDeflate: false });
      return [path, { server, admit }];
    }),
  );
  let closed = false;

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { url = "" } = request;
    const endpoint = byPath.get(url.split("?")[0] ?? "");
    if (!endpoint) return refuseUpgrade(socket, 404);
    if (url.length > urlLimits.api.length) return refuseUpgrade(socket, 414);
    const refusal = countUpgrade(request);
    if (refusal) return refuseUpgrade(socket, 429, refusal.retryAfter);
    const ip = clientIp(request);
    const slot = closed ? 503 : counter.enter(ip);
    if (typeof slot === "number") return refuseUpgrade(socket, slot);
    if (socket.destroyed) return slot.release();
    socket.once("close", slot.release);
    const accept = await endpoint.admit(request, slot, ip);
    if (typeof accept === "number") return refuseUpgrade(socket, accept);
    if (closed || socket.destroyed) return refuseUpgrade(socket, 503);
    endpoint.server.handleUpgrade(request, socket, head, accept);
  }

  return {
    upgrade(request, socket, head) {
      socket.on("error", () => {}); // It may close before the upgrade.
      open(request, socket, head).catch((err: unknown) => {
        site.log.error({ err }, "a socket could not be opened");
        refuseUpgrade(socket, 503);
      });
    },
    close() {
      closed = true;
      for (const endpoint of endpoints) endpoint.close();
    },
  };
}
