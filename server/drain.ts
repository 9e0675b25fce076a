import type { Server } from "node:http";
import { Server as NetServer } from "node:net";

const drainTimeoutMs = 10_000;
const repeatedSignalMs = 1_000;
/** A proxy that is in use sends something on each of the connections it keeps within that time, and learns that it is the last. */
const idleTimeoutMs = 500;

/**
 * On a signal, or when the parent process is gone: take no new connections, `hangUp` on those that would stay open, let
 * running requests finish for ten seconds, close what the site holds, end. A signal a second or more later ends at once.
 */
export function drainOnSignal(server: Server, { hangUp, close }: { hangUp: () => void; close: () => Promise<void> }): void {
  let since: number | undefined;
  const drain = () => {
    if (since !== undefined && Date.now() - since > repeatedSignalMs) process.exit(1);
    if (since !== undefined) return;
    since = Date.now();
    server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
    });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    // After what has arrived by now was taken in. The close of node:http would end idle connections too, on which a request may be on its way.
    setImmediate(() => NetServer.prototype.close.call(server, () => resolve()));
    setTimeout(() => setImmediate(() => server.closeIdleConnections()), idleTimeoutMs);
    // For those that had begun to answer, and said that the connection stays.
    server.keepAliveTimeout = 1;
    hangUp();
    const late = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
    void ended
      .then(() => clearTimeout(late))
      .then(close)
      .then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, drain);
}
