import type { Server } from "node:http";

const patience = 10_000;

/**
 * On a signal, or when the parent process is gone: take no new connections, let running requests finish for ten
 * seconds, close what the site holds, end. A second signal ends at once.
 */
export function drainOnSignal(server: Server, close: () => Promise<void>): void {
  let draining = false;
  const drain = () => {
    if (draining) process.exit(1);
    draining = true;
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const late = setTimeout(() => server.closeAllConnections(), patience);
    void ended
      .then(() => clearTimeout(late))
      .then(close)
      .then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, drain);
}
