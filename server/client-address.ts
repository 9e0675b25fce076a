import type { IncomingMessage } from "node:http";

const loopback = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/**
 * Where a request comes from. A proxy on this machine is believed: the last address it added is the one it saw itself,
 * the ones before are the sender's own claims.
 */
export function clientAddress(request: IncomingMessage): string {
  const peer = request.socket.remoteAddress ?? "unknown";
  if (!loopback.has(peer)) return peer;
  const forwarded = String(request.headers["x-forwarded-for"] ?? "");
  return forwarded.split(",").at(-1)?.trim() || peer;
}
