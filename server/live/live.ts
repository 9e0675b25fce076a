import type { IncomingMessage } from "node:http";
import { livePath } from "#domain/live.ts";
import { isUnderMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import { isOwnOrigin } from "#server/limits/own-origin.ts";
import { viewerFinder } from "#server/session/session.ts";
import type { SocketEndpoint } from "#server/sockets.ts";
import { type ConnectionLimits, LiveConnection } from "./live-connection.ts";

export type LiveLimits = ConnectionLimits & {
  /** Bytes in one message. */
  message: number;
};

const limits: LiveLimits = {
  // The longest message with every character escaped in JSON.
  message: 40 * kilobyte,
  pingIntervalMs: 20_000,
  maxBufferedBytes: 256 * kilobyte,
  maxTopics: 50,
  unitsPerMinute: { visitor: 1_500, member: 3_000 },
};

export function openLive(site: Site, chosen: Partial<LiveLimits> = {}): SocketEndpoint {
  const { message: maxPayload, ...own } = { ...limits, ...chosen };
  const connections = new Set<LiveConnection>();
  return {
    path: livePath,
    maxPayload,
    async admit(request, slot, ip) {
      if (!hasOwnOrigin(request, site.url)) return 403;
      const findViewer = viewerFinder(site, request.headers.cookie ?? null, ip);
      const viewer = await findViewer();
      if (isUnderMaintenance(site, viewer)) return 503;
      if (viewer && !slot.assignAccount(viewer.id)) return 429;
      return (socket) => {
        const connection = new LiveConnection(site, { socket, viewer, findViewer, limits: own });
        connections.add(connection);
        socket.once("close", () => connections.delete(connection));
      };
    },
    close() {
      for (const connection of connections) connection.close(1001, "the server is going away");
    },
  };
}

/** Browsers let any page open a socket to any site and send that site's cookies: only the Origin header names the page. */
function hasOwnOrigin({ headers: { origin } }: IncomingMessage, siteUrl: string): boolean {
  return origin !== undefined && isOwnOrigin(origin, siteUrl);
}
