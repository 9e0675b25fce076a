import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import type { Log } from "#platform/log.ts";

/** Shorter than the stop timeouts, which also have to cover closing the site. */
const drainTimeoutMs = 15_000;
/** Node's default for `listen`. */
const maxPending = 511;
const repeatedSignalMs = 1_000;
/** Idle connections are closed when none has had a request for this time. Until then a proxy may use them; each response closes its connection. */
const idleMs = 500;

type DrainOptions = { log: Log; closeSockets: () => void; close: () => Promise<void> };

/**
 * On a signal, or when the parent process has ended: refuses new connections, closes WebSockets (`closeSockets`), gives running requests
 * fifteen seconds, closes the site and exits. A second signal, a second or more later, exits at once.
 */
export function drainOnSignal(server: Server, { log, closeSockets, close }: DrainOptions): void {
  let startedAt: number | undefined;
  const drain = () => {
    if (startedAt !== undefined && Date.now() - startedAt > repeatedSignalMs) process.exit(1);
    if (startedAt !== undefined) return;
    startedAt = Date.now();
    const idleTimer = setTimeout(() => setImmediate(() => server.closeIdleConnections()), idleMs);
    server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
      idleTimer.refresh();
    });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    // node:http's own `close` would also close idle connections, on which a request may be arriving.
    acceptPending(server, () => NetServer.prototype.close.call(server, () => resolve()));
    // For responses whose headers already keep the connection alive.
    server.keepAliveTimeout = 1;
    closeSockets();
    const forceTimer = setTimeout(() => {
      server.getConnections((_error, open) => log.warn({ open }, "Stopping: connections with unfinished requests are closed"));
      server.closeAllConnections();
    }, drainTimeoutMs);
    void ended
      .then(() => clearTimeout(forceTimer))
      .then(close)
      .then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, drain);
}

/**
 * Calls `done` once no connection waits to be accepted: closing a server resets those that wait, and Node accepts only one per turn of its
 * event loop.
 */
function acceptPending(server: Server, done: () => void): void {
  // The first turn ends before any is accepted.
  let accepted = true;
  let turnsLeft = maxPending;
  server.on("connection", () => {
    accepted = true;
  });
  const next = () => {
    if (!accepted || turnsLeft-- === 0) return done();
    accepted = false;
    setImmediate(next);
  };
  setImmediate(next);
}
