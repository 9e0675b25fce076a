import type { Server } from "node:http";
import { minutes } from "#platform/time.ts";

/**
 * Closes connections that have read nothing for a minute of what waits for them in memory: a complete response, or the part of a stream
 * that was written. A stream that has nothing to send stays open. `timeoutMs` is for tests.
 */
export function dropSlowReaders(server: Server, timeoutMs = minutes(1)): void {
  // Bytes that the client takes start the time again, as does each write. A listener per response would cost a cached page several percent.
  server.setTimeout(timeoutMs, (socket) => {
    const isIdle = socket.timeout !== timeoutMs; // Between requests Node sets `keepAliveTimeout`, and leaves the socket to this listener.
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
}
