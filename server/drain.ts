import type { Server } from "node:http";

const drainTimeoutMs = 10_000;
const repeatedSignalMs = 1_000;

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
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // For those that are answering still.
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
