import type { IncomingMessage, Server } from "node:http";
import { networkOf } from "#domain/limits/attempts.server.ts";
import { ConcurrencyCounter } from "./concurrent.ts";
import { isReadMethod } from "./route-class.ts";
import { connectionLimits } from "./table.ts";

type Options = {
  isProxy: (address: string) => boolean;
  factor?: number;
  /** As in `connectionLimits`. */
  bodyTimeoutMs?: number;
  minBodyBytesPerSecond?: number;
};

export function limitConnections(server: Server, { isProxy, factor = 1, ...chosen }: Options): void {
  const { bodyTimeoutMs, minBodyBytesPerSecond } = { ...connectionLimits, ...chosen };
  const open = new ConcurrencyCounter();
  server.maxConnections = connectionLimits.total;
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    if (isProxy(address)) return;
    const leave = open.enter(networkOf(address), connectionLimits.perNetwork * factor);
    if (leave) socket.once("close", leave);
    else socket.destroy();
  });
  server.on("request", (request) => {
    if (!isReadMethod(request.method ?? "GET")) endSlowBody(request, bodyTimeoutMs, minBodyBytesPerSecond);
  });
}

/** Node has one time limit for all bodies; small ones must arrive sooner. */
function endSlowBody(request: IncomingMessage, timeoutMs: number, bytesPerSecond: number): void {
  const length = Number(request.headers["content-length"]);
  // Without a length, only Node's limit applies.
  if (request.complete || !Number.isFinite(length)) return;
  const timer = setTimeout(() => request.complete || request.destroy(), timeoutMs + (length / bytesPerSecond) * 1000);
  timer.unref();
  const done = () => clearTimeout(timer);
  request.once("end", done).once("close", done);
}
