import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { isUnderMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import { type ApiConfig, defaultApi } from "#platform/config.ts";
import { clientAddressReader } from "#server/limits/client-address.ts";
import { withNetwork } from "#server/session/session.ts";
import { SocketCounter, type SocketPlace } from "../../limits/sockets.ts";
import { bringsSession, identifyCaller } from "../caller.ts";
import { originScope, unknownOrigin } from "../origins.ts";
import { queryOf } from "../params.ts";
import { type Identity, RealtimeConnection, type RealtimeLimits } from "./connection.ts";
import { Hub } from "./hub.ts";
import { channelGrammar } from "./names.ts";

export const realtimePath = "/v1/realtime";

export type RealtimeEndpoint = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
};

const limits: RealtimeLimits = {
  ping: 20_000,
  buffered: 1024 * 1024,
  visitor: { subscriptions: 50, channels: 25, parts: 200 },
  member: { subscriptions: 100, channels: 100, parts: 1_000 },
  unitsPerMinute: 4_000,
};
const maxMessageBytes = 64 * kilobyte;
const tryAgainLater = 1013;

type Options = Partial<RealtimeLimits> & { config?: ApiConfig | undefined; proxies?: string[]; counter?: SocketCounter };

export function openRealtime(
  site: Site,
  { config = defaultApi, proxies, counter = new SocketCounter(), ...chosen }: Options = {},
): RealtimeEndpoint {
  const clientAddress = clientAddressReader(proxies);
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: maxMessageBytes, perMessageDeflate: false });
  const hub = new Hub(site, config);
  const isChannel = channelGrammar(config);
  let closed = false;

  async function authenticate(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const header = headersOf(request, queryOf(request.url ?? "/").jwt);
    const place = closed ? 503 : counter.enter(clientAddress(request));
    if (typeof place === "number") {
      rejectUpgrade(socket, place);
      return;
    }
    if (socket.destroyed) {
      place.leave();
      return;
    }
    socket.once("close", place.leave);
    if (!(await isKnown(site, config, header)) && !place.visit()) {
      rejectUpgrade(socket, 429);
      return;
    }
    if (closed || socket.destroyed) {
      rejectUpgrade(socket, 503);
      return;
    }
    server.handleUpgrade(request, socket, head, (opened) => welcome(opened, request, place));
  }

  /** Refusals are sent as frames: client libraries don't report a failed upgrade. */
  function welcome(socket: WebSocket, request: IncomingMessage, place: SocketPlace): void {
    const query = queryOf(request.url ?? "/");
    const again = async () => {
      const { viewer, scopes } = await identifyCaller(site, config, headersOf(request, query.jwt));
      return !scopes || scopes.includes("read") ? withNetwork(clientAddress(request), viewer) : null;
    };
    const identity: Identity = { viewer: null, again: () => again().catch(() => null) };
    const connection = new RealtimeConnection(site, {
      socket,
      identity,
      limits: { ...limits, ...chosen },
      isChannel,
      onChannels: (changed, channels) => hub.update(changed, channels),
    });
    socket.once("close", () => hub.remove(connection));
    hub.add(connection);
    const problem = problemOf(site, config, request);
    if (problem !== undefined) connection.refuse(problem);
    else
      connection.begin(async () => {
        identity.viewer = await identity.again();
        if (identity.viewer && !place.belongTo(identity.viewer.id)) connection.refuse("Too many connections.");
        if (isUnderMaintenance(site, identity.viewer)) connection.refuse(site.settings.maintenanceMessage, tryAgainLater);
        return { channels: listOf(query.channels), queries: listOf(query.queries) };
      });
  }

  return {
    upgrade(request, socket, head) {
      socket.on("error", () => {}); // Gone before it was let in.
      authenticate(request, socket, head).catch((err: unknown) => {
        site.log.error({ err }, "the API's socket could not be opened");
        rejectUpgrade(socket, 503);
      });
    },
    close() {
      closed = true;
      hub.close();
      for (const connection of hub.connections) connection.close(1001, "the server is going away");
    },
  };
}

function problemOf(site: Site, config: ApiConfig, { url = "/", headers: { origin } }: IncomingMessage): string | undefined {
  if (queryOf(url).project !== config.project) return "Missing or unknown project ID";
  return originScope(origin, site.url, config) === "foreign" ? unknownOrigin(origin) : undefined;
}

async function isKnown(site: Site, config: ApiConfig, header: (name: string) => string | undefined): Promise<boolean> {
  const { jwt, key } = { jwt: header("x-appwrite-jwt"), key: header("x-appwrite-key") };
  if (!jwt && !key) return bringsSession(site, config, header);
  const caller = await identifyCaller(site, config, header).catch(() => undefined);
  return Boolean(caller?.viewer);
}

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

const reasons = { 429: "Too Many Requests", 503: "Service Unavailable" };

function rejectUpgrade(socket: Duplex, status: keyof typeof reasons): void {
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nRetry-After: 10\r\nContent-Length: 0\r\n\r\n`);
  socket.once("finish", () => socket.destroy());
}
