import type { IncomingMessage } from "node:http";
import { createMiddleware } from "hono/factory";
import { newRequestId, runInRequest } from "#platform/request-context.ts";
import type { Web } from "./http.ts";
import { proxyTest } from "./limits/client-address.ts";

export const requestIdHeader = "x-request-id";
const shape = /^[\w.:-]{6,64}$/;

export type RequestIds = (incoming: Pick<IncomingMessage, "headers" | "socket"> | undefined) => string;

/** A proxy's own id for a request is kept, so that one can be found in the logs of both; nobody else chooses one. */
export function requestIds(proxies: string[] = []): RequestIds {
  const isProxy = proxyTest(proxies);
  return (incoming) => {
    const given = incoming?.headers[requestIdHeader];
    const isTaken = typeof given === "string" && shape.test(given) && isProxy(incoming?.socket.remoteAddress ?? "");
    return isTaken ? given : newRequestId();
  };
}

/** Names the request, in the answer's header and in each line of the log. */
export function identifyRequests(idOf: RequestIds) {
  return createMiddleware<Web>(async (c, next) => {
    const { incoming, outgoing } = c.env ?? {};
    const id = idOf(incoming);
    c.set("requestId", id);
    // Put where the answer will be written: to change an answer that is made costs more.
    outgoing?.setHeader(requestIdHeader, id);
    await runInRequest({ id, path: c.req.path }, next);
    if (!outgoing) c.header(requestIdHeader, id);
  });
}
