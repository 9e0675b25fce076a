import type { Server } from "node:http";
import { minutes } from "#platform/time.ts";

/**
 * Closes connections that have read nothing of a complete response for a minute: it waits in memory until it is read. `timeoutMs` is for
 * tests.
 */
export function dropSlowReaders(server: Server, timeoutMs = minutes(1)): void {
  server.prependListener("request", (_request, response) => {
    response.once("prefinish", () => {
      if (!response.writableFinished) response.socket?.setTimeout(timeoutMs);
    });
  });
}
