import type { Server } from "node:http";
import { Server as NetServer } from "node:net";

const drainTimeoutMs = 10_000;
const repeatedSignalMs = 1_000;
/** Idle connections are closed when none has had a request for this time. Until then a proxy uses them, and each response closes its own. */
const quietMs = 500;

/**
 * On a signal, or when the parent process has ended: refuses new connections, closes WebSockets (`hangUp`), gives running requests ten
 * seconds, closes the site and exits. A second signal, a second or more later, exits at once.
 */
export function drainOnSignal(server: Server, { hangUp, close }: { hangUp: () => void; close: () => Promise<void> }): void {
  let since: number | undefined;
  const drain = () => {
    if (since !== undefined && Date.now() - since > repeatedSignalMs) process.exit(1);
    if (since !== undefined) return;
    since = Date.now();
    const quiet = setTimeout(() => setImmediate(() => server.closeIdleConnections()), quietMs);
    server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
      quiet.refresh();
    });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    // After connections that have arrived. node:http's own close would also end idle ones, on which a request may be arriving.
    setImmediate(() => NetServer.prototype.close.call(server, () => resolve()));
    // For responses that have already promised to keep the connection.
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
