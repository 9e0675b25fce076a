import type { IncomingMessage } from "node:http";
import { newRequestId } from "#platform/request-context.ts";
import { proxyMatcher } from "./limits/client-ip.ts";

export const requestIdHeader = "x-request-id";
const shape = /^[\w.:-]{6,64}$/;

export type RequestIds = (incoming: Pick<IncomingMessage, "headers" | "socket"> | undefined) => string;

/** Takes over a trusted proxy's id, so that the logs of both can be matched; makes one for all other requests. */
export function requestIds(proxies: string[] = []): RequestIds {
  const isProxy = proxyMatcher(proxies);
  return (incoming) => {
    const given = incoming?.headers[requestIdHeader];
    const isAccepted = typeof given === "string" && shape.test(given) && isProxy(incoming?.socket.remoteAddress ?? "");
    return isAccepted ? given : newRequestId();
  };
}
