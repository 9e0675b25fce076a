import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { livePath } from "#domain/live.ts";
import { isUnderMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import { clientAddressReader } from "#server/limits/client-address.ts";
import { isOwnOrigin } from "#server/limits/own-origin.ts";
import { refuseUpgrade } from "#server/limits/refuse-upgrade.ts";
import { SocketCounter } from "#server/limits/sockets.ts";
import { viewerFinder } from "#server/session/session.ts";
import { type ConnectionLimits, LiveConnection } from "./live-connection.ts";

export type LiveEndpoint = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
};

export type LiveLimits = ConnectionLimits & {
  /** Bytes in one message. */
  message: number;
};

type LiveOptions = Partial<LiveLimits> & { proxies?: string[]; counter?: SocketCounter };

const limits: LiveLimits = {
  // The longest message with every character escaped in JSON.
  message: 40 * kilobyte,
  ping: 20_000,
  buffered: 256 * kilobyte,
  topics: 50,
  unitsPerMinute: { visitor: 1_500, member: 3_000 },
};

export function openLive(site: Site, { proxies, counter = new SocketCounter(), ...chosen }: LiveOptions = {}): LiveEndpoint {
  const { message, ...own } = { ...limits, ...chosen };
  const clientAddress = clientAddressReader(proxies);
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: message, perMessageDeflate: false });
  const connections = new Set<LiveConnection>();
  let closed = false;

  async function authenticate(request: IncomingMessage, socket: Duplex, head: Buffer) {
    if (request.url?.split("?")[0] !== livePath) return refuseUpgrade(socket, 404);
    if (!isFromOwnPages(request, site.url)) return refuseUpgrade(socket, 403);
    if (closed) return refuseUpgrade(socket, 503);
    const address = clientAddress(request);
    const slot = counter.enter(address);
    if (typeof slot === "number") return refuseUpgrade(socket, slot);
    if (socket.destroyed) return slot.release();
    socket.once("close", slot.release);
    const findViewer = viewerFinder(site, request.headers.cookie ?? null, address);
    const viewer = await findViewer();
    if (closed || isUnderMaintenance(site, viewer)) return refuseUpgrade(socket, 503);
    if (viewer && !slot.assignAccount(viewer.id)) return refuseUpgrade(socket, 429);
    server.handleUpgrade(request, socket, head, (opened) => {
      const connection = new LiveConnection(site, { socket: opened, viewer, findViewer, limits: own });
      connections.add(connection);
      opened.once("close", () => connections.delete(connection));
    });
  }

  return {
    upgrade(request, socket, head) {
      socket.on("error", () => {}); // It may close before the upgrade.
      authenticate(request, socket, head).catch((err: unknown) => {
        site.log.error({ err }, "the live socket could not be opened");
        refuseUpgrade(socket, 503);
      });
    },
    close() {
      closed = true;
      for (const connection of connections) connection.close(1001, "the server is going away");
    },
  };
}

/** Browsers let any page open a socket to any site and send that site's cookies: only the Origin header names the page. */
function isFromOwnPages({ headers: { origin } }: IncomingMessage, siteUrl: string): boolean {
  return origin !== undefined && isOwnOrigin(origin, siteUrl);
}
