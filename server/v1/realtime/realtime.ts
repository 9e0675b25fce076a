import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Site } from "#domain/site.ts";
import { type ApiConfig, defaultApi } from "#platform/config.ts";
import { clientAddressReader } from "../../client-address.ts";
import { identifyCaller, unknownOrigin } from "../call.ts";
import { placeOf } from "../origins.ts";
import { queryOf } from "../params.ts";
import { type Identity, RealtimeConnection, type RealtimeLimits } from "./connection.ts";
import { Hub } from "./hub.ts";

export const realtimePath = "/v1/realtime";

export type RealtimeDoor = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Hangs up on everybody and lets nobody in any more. */
  close(): void;
};

const limits: RealtimeLimits = { ping: 20_000, buffered: 1024 * 1024, subscriptions: 200, messages: 200 };
const perAddress = 200;
const inAll = 20_000;
const longestMessage = 64 * 1024;

type Options = Partial<RealtimeLimits> & { config?: ApiConfig | undefined; proxies?: string[] };

/** The door for clients of the API that want to hear what happens, in both generations of the protocol. */
export function openRealtime(site: Site, { config = defaultApi, proxies, ...chosen }: Options = {}): RealtimeDoor {
  const clientAddress = clientAddressReader(proxies);
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: longestMessage, perMessageDeflate: false });
  const hub = new Hub(site, config);
  const counts = new Map<string, number>();
  let closed = false;

  function admit(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = clientAddress(request);
    const count = (counts.get(address) ?? 0) + 1;
    if (closed || hub.size >= inAll || count > perAddress) {
      turnAway(socket, count > perAddress ? "429 Too Many Requests" : "503 Service Unavailable");
      return;
    }
    counts.set(address, count);
    socket.once("close", () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
    server.handleUpgrade(request, socket, head, (opened) => welcome(opened, request));
  }

  /** Clients are told in a frame why they are refused: of an upgrade that fails their libraries say nothing. */
  function welcome(socket: WebSocket, request: IncomingMessage): void {
    const query = queryOf(request.url ?? "/");
    const again = async () => (await identifyCaller(site, config, headersOf(request, query.jwt))).viewer;
    const identity: Identity = { viewer: null, again: () => again().catch(() => null) };
    const connection = new RealtimeConnection(site, {
      socket,
      identity,
      limits: { ...limits, ...chosen },
      onChannels: (changed) => hub.update(changed),
    });
    socket.once("close", () => hub.remove(connection));
    hub.update(connection);
    const { origin, host } = request.headers;
    if (query.project !== config.project) connection.refuse("Missing or unknown project ID");
    else if (placeOf(origin, host, site.url, config) === "elsewhere") connection.refuse(unknownOrigin(origin));
    else
      connection.begin(async () => {
        identity.viewer = await identity.again();
        return { channels: listOf(query.channels), queries: listOf(query.queries) };
      });
  }

  return {
    upgrade(request, socket, head) {
      socket.on("error", () => {}); // Gone before it was let in.
      admit(request, socket, head);
    },
    close() {
      closed = true;
      hub.close();
      for (const connection of hub.connections) connection.close(1001, "the server is going away");
    },
  };
}

/** What an upgrade brings, with the token of newer clients where other requests have a header for it. */
function headersOf({ headers }: IncomingMessage, jwt: string | string[] | undefined) {
  return (name: string): string | undefined => {
    if (name === "x-appwrite-jwt") return typeof jwt === "string" && jwt !== "" ? jwt : undefined;
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).slice(0, 200);
}

function turnAway(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.once("finish", () => socket.destroy());
}
