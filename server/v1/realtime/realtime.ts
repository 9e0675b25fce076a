import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { isUnderMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import { type ApiConfig, defaultApi } from "#platform/config.ts";
import { clientAddressReader } from "#server/limits/client-address.ts";
import { refuseUpgrade } from "#server/limits/refuse-upgrade.ts";
import { withNetwork } from "#server/session/session.ts";
import { SocketCounter, type SocketSlot } from "../../limits/sockets.ts";
import { type Caller, hasCredentials, identifyCaller } from "../caller.ts";
import { ApiError } from "../errors.ts";
import { originScope, unknownOrigin } from "../origins.ts";
import { queryOf } from "../params.ts";
import { type Identity, RealtimeConnection, type RealtimeLimits } from "./connection.ts";
import { Hub } from "./hub.ts";
import { channelValidator } from "./names.ts";

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
  const isChannel = channelValidator(config);
  let closed = false;

  async function authenticate(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const header = headersOf(request, queryOf(request.url ?? "/").jwt);
    const slot = closed ? 503 : counter.enter(clientAddress(request));
    if (typeof slot === "number") {
      refuseUpgrade(socket, slot);
      return;
    }
    if (socket.destroyed) {
      slot.release();
      return;
    }
    socket.once("close", slot.release);
    if (!(await isAuthenticated(site, config, header)) && !slot.countAnonymous()) {
      refuseUpgrade(socket, 429);
      return;
    }
    if (closed || socket.destroyed) {
      refuseUpgrade(socket, 503);
      return;
    }
    server.handleUpgrade(request, socket, head, (opened) => accept(opened, request, slot));
  }

  /** Refusals are sent as frames: client libraries don't report a failed upgrade. */
  function accept(socket: WebSocket, request: IncomingMessage, slot: SocketSlot): void {
    const query = queryOf(request.url ?? "/");
    const reload = async () => {
      const { viewer = null, scopes } = (await callerOf(site, config, headersOf(request, query.jwt))) ?? {};
      return !scopes || scopes.includes("read") ? withNetwork(clientAddress(request), viewer) : null;
    };
    const identity: Identity = { viewer: null, reload };
    const connection = new RealtimeConnection(site, {
      socket,
      identity,
      limits: { ...limits, ...chosen },
      isChannel,
      assignAccount: slot.assignAccount,
      onChannels: (changed, channels) => hub.update(changed, channels),
    });
    socket.once("close", () => hub.remove(connection));
    hub.add(connection);
    const problem = problemOf(site, config, request);
    if (problem !== undefined) connection.refuse(problem);
    else
      connection.start(async () => {
        identity.viewer = await identity.reload();
        if (identity.viewer && !slot.assignAccount(identity.viewer.id)) connection.refuse("Too many connections.");
        if (isUnderMaintenance(site, identity.viewer)) connection.refuse(site.settings.maintenanceMessage, tryAgainLater);
        return { channels: listOf(query.channels), queries: listOf(query.queries) };
      });
  }

  return {
    upgrade(request, socket, head) {
      socket.on("error", () => {}); // It may close before the upgrade.
      authenticate(request, socket, head).catch((err: unknown) => {
        site.log.error({ err }, "an API socket could not be opened");
        refuseUpgrade(socket, 503);
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

type ReadHeader = (name: string) => string | undefined;

/** Undefined for an invalid token or key. @throws errors that the client didn't cause: an outage makes no member a visitor. */
async function callerOf(site: Site, config: ApiConfig, header: ReadHeader): Promise<Caller | undefined> {
  try {
    return await identifyCaller(site, config, header);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function isAuthenticated(site: Site, config: ApiConfig, header: ReadHeader): Promise<boolean> {
  const { jwt, key } = { jwt: header("x-appwrite-jwt"), key: header("x-appwrite-key") };
  if (!jwt && !key) return hasCredentials(site, config, header);
  return Boolean((await callerOf(site, config, header))?.viewer);
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
