import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import { isUnderMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import { type ApiConfig, defaultApi } from "#platform/config.ts";
import { withNetwork } from "#server/session/session.ts";
import type { SocketEndpoint } from "#server/sockets.ts";
import type { SocketSlot } from "../../limits/sockets.ts";
import { type Caller, hasCredentials, identifyCaller } from "../caller.ts";
import { ApiError } from "../errors.ts";
import { originScope, unknownOrigin } from "../origins.ts";
import { queryOf } from "../params.ts";
import { type Identity, RealtimeConnection, type RealtimeLimits } from "./connection.ts";
import { Hub } from "./hub.ts";
import { channelValidator } from "./names.ts";

export const realtimePath = "/v1/realtime";

const limits: RealtimeLimits = {
  ping: 20_000,
  buffered: 1024 * 1024,
  visitor: { subscriptions: 50, channels: 25, parts: 200 },
  member: { subscriptions: 100, channels: 100, parts: 1_000 },
  unitsPerMinute: 4_000,
};
const maxMessageBytes = 64 * kilobyte;
const tryAgainLater = 1013;

export function openRealtime(site: Site, config: ApiConfig = defaultApi): SocketEndpoint {
  const hub = new Hub(site, config);
  const isChannel = channelValidator(config);

  /** Refusals are sent as frames: client libraries don't report a failed upgrade. */
  function accept(socket: WebSocket, request: IncomingMessage, slot: SocketSlot, ip: string): void {
    const query = queryOf(request.url ?? "/");
    const reload = async () => {
      const { viewer = null, scopes } = (await callerOf(site, config, headersOf(request, query.jwt))) ?? {};
      return !scopes || scopes.includes("read") ? withNetwork(ip, viewer) : null;
    };
    const identity: Identity = { viewer: null, reload };
    const connection = new RealtimeConnection(site, {
      socket,
      identity,
      limits,
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
    path: realtimePath,
    maxPayload: maxMessageBytes,
    async admit(request, slot, ip) {
      const header = headersOf(request, queryOf(request.url ?? "/").jwt);
      if (!(await isAuthenticated(site, config, header)) && !slot.countAnonymous()) return 429;
      return (socket) => accept(socket, request, slot, ip);
    },
    close() {
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
