import { once } from "node:events";
import type { Server } from "node:http";
import { type Config, ConfigError } from "#platform/config.ts";
import { maxHeaderBytes } from "./limits/table.ts";

const reasonsFor = (prefix: string): Record<string, string> => ({
  EADDRINUSE: `is taken by another program. Stop it, or set ${prefix}PORT to another number.`,
  EACCES: `may not be used by this account. Set ${prefix}PORT to a number above 1023.`,
  EADDRNOTAVAIL: `is not an address of this machine. Set ${prefix}HOST to one that is.`,
});

/** For `createServer`; times in milliseconds. */
export const serverOptions = {
  /** An idle connection is ended by the one who keeps it (nginx after 60 s, Caddy after 120), never by us just as it sends the next request. */
  keepAliveTimeout: 130_000,
  /** Anyone who takes longer to say what they want, or to send it, is cut off. A picture comes over a slow line within the second. */
  headersTimeout: 20_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: maxHeaderBytes,
};

/** `prefix`: of the variables that say where. */
export async function listen(server: Server, { host, port }: Pick<Config, "host" | "port">, prefix = ""): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const reason = reasonsFor(prefix)[(error as NodeJS.ErrnoException).code ?? ""];
    throw reason ? new ConfigError(`${host}:${port} ${reason}`) : error;
  }
}
