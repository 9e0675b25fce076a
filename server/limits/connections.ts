import type { IncomingMessage, Server } from "node:http";
import { kilobyte } from "#platform/bytes.ts";
import { ConcurrencyCounter, enterNetwork } from "./concurrent.ts";
import { connectionLimits } from "./table.ts";

type Options = {
  isProxy: (ip: string) => boolean;
  factor?: number;
} & Partial<BodyLimits>;

type BodyLimits = Pick<typeof connectionLimits, "bodyTimeoutMs" | "minBodyBytesPerSecond" | "bodyCheckMs">;

export function limitConnections(server: Server, { isProxy, factor = 1, ...chosen }: Options): void {
  const bodyLimits = { ...connectionLimits, ...chosen };
  const open = new ConcurrencyCounter();
  server.maxConnections = connectionLimits.total;
  server.on("connection", (socket) => {
    const ip = socket.remoteAddress ?? "";
    if (isProxy(ip)) return;
    const leave = enterNetwork(open, ip, connectionLimits.perNetwork * factor);
    if (leave) socket.once("close", leave);
    else socket.destroy();
  });
  server.on("request", (request) => {
    const { headers } = request;
    if ("content-length" in headers || "transfer-encoding" in headers) endSlowBody(request, bodyLimits);
  });
}

/** Node reads this much at once, so it may have come with the headers. */
const maxBytesWithHeaders = 64 * kilobyte;

/** Node has one time limit for all bodies; small ones must arrive sooner, and large ones continuously, since they hold memory from the start. */
function endSlowBody(request: IncomingMessage, { bodyTimeoutMs, minBodyBytesPerSecond, bodyCheckMs }: BodyLimits): void {
  const { socket } = request;
  const readBefore = socket.bytesRead - maxBytesWithHeaders;
  let waitedMs = 0;
  const check = () => {
    if (request.complete) return done();
    // The sender isn't late while we haven't read what arrived.
    if (request.readableLength > 0) return;
    waitedMs += bodyCheckMs;
    const minBytes = ((waitedMs - bodyTimeoutMs) / 1000) * minBodyBytesPerSecond;
    if (socket.bytesRead - readBefore < minBytes) request.destroy();
  };
  const timer = setInterval(check, bodyCheckMs);
  timer.unref();
  const done = () => clearInterval(timer);
  request.once("end", done).once("close", done);
}
