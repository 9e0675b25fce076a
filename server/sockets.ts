import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { livePath } from "#domain/live.ts";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import type { Gate } from "./limits/gate.ts";
import { refuseUpgrade } from "./limits/refuse-upgrade.ts";
import { SocketCounter } from "./limits/sockets.ts";
import { addressLimits } from "./limits/table.ts";
import { openLive } from "./live/live.ts";
import { openRealtime, realtimePath } from "./v1/realtime/realtime.ts";

type SocketParts = { proxies?: string[]; api?: ApiConfig; counter?: SocketCounter; countUpgrade: Gate["countUpgrade"] };

/** Both WebSocket endpoints behind the limits, which the routes of other requests don't enforce for upgrades. */
export function openSockets(site: Site, { proxies = [], api: config, counter = new SocketCounter(), countUpgrade }: SocketParts) {
  const endpoints = new Map([
    [livePath, openLive(site, { proxies, counter })],
    [realtimePath, openRealtime(site, { config, proxies, counter })],
  ]);
  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on("error", () => {}); // It may close before the upgrade.
      const { url = "" } = request;
      const endpoint = endpoints.get(url.split("?")[0] ?? "");
      const isLong = url.length > addressLimits.api.length;
      const refusal = endpoint && !isLong ? countUpgrade(request) : undefined;
      if (!endpoint) refuseUpgrade(socket, 404);
      else if (isLong) refuseUpgrade(socket, 414);
      else if (refusal) refuseUpgrade(socket, 429, refusal.retryAfter);
      else endpoint.upgrade(request, socket, head);
    },
    close(): void {
      for (const endpoint of endpoints.values()) endpoint.close();
    },
  };
}
