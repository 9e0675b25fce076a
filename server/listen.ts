import { once } from "node:events";
import type { Server } from "node:http";
// `getRequestListener` replaces the global Response. The library's mark for "already sent" only works if it is made before.
import "@hono/node-server/utils/response";
import { type Config, ConfigError } from "#platform/config.ts";
import { maxHeaderBytes } from "./limits/table.ts";

const reasonsFor = (prefix: string): Record<string, string> => ({
  EADDRINUSE: `is taken by another program. Stop it, or set ${prefix}PORT to another number.`,
  EACCES: `may not be used by this account. Set ${prefix}PORT to a number above 1023.`,
  EADDRNOTAVAIL: `is not an address of this machine. Set ${prefix}HOST to one that is.`,
});

/** For `createServer`; times in milliseconds. */
export const serverOptions = {
  /** Longer than proxies' own (nginx 60 s, Caddy 120 s), so that we never close a connection just as a request arrives. */
  keepAliveTimeout: 130_000,
  /** A picture on a slow line arrives within `requestTimeout`. */
  headersTimeout: 20_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: maxHeaderBytes,
};

/** @param prefix - of the environment variables to name in errors. */
export async function listen(server: Server, { host, port }: Pick<Config, "host" | "port">, prefix = ""): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const reason = reasonsFor(prefix)[(error as NodeJS.ErrnoException).code ?? ""];
    throw reason ? new ConfigError(`${host}:${port} ${reason}`) : error;
  }
}
