import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import type { Site } from "#domain/site.ts";
import { logLine } from "#platform/log.ts";
import { runInRequest } from "#platform/request-context.ts";
import { isFromOwnPage } from "#server/limits/own-origin.ts";
import type { Web } from "./http.ts";
import { limitRefusals, refuse } from "./limits/refuse.ts";
import { isReadMethod } from "./limits/route-class.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { type RequestIds, requestIdHeader } from "./request-ids.ts";

type Observers = { idOf: RequestIds; metrics: Metrics | undefined; patternOf: (path: string) => string };

/** Characters. Node accepts paths of 16,000, and refused requests are logged too. */
const maxLoggedPath = 300;

/** Gives each request an id, counts it and logs one line. Addresses and queries stay out of the log. */
export function observeRequests(site: Site, { idOf, metrics, patternOf }: Observers) {
  return createMiddleware<Web>(async (c, next) => {
    const start = performance.now();
    const id = idOf(c.env?.incoming);
    const { method } = c.req;
    const path = c.req.path.slice(0, maxLoggedPath);
    c.set("requestId", id);
    await runInRequest({ id, path }, next);
    const ms = performance.now() - start;
    const status = isSent(c) ? c.env.outgoing.statusCode : c.res.status;
    metrics?.observe({ method, route: patternOf(c.req.path), status, seconds: ms / 1000 });
    if (status >= 500 && !isDisconnected(c)) site.log.error({ method, path, status, ms: Math.round(ms), requestId: id }, "request");
    else if (!path.startsWith("/assets/") && path !== "/healthz") logRequest(site, { method, path, status, ms, id });
  });
}

type LoggedRequest = { method: string; path: string; status: number; ms: number; id: string };

function logRequest({ log }: Site, { method, path, status, ms, id }: LoggedRequest): void {
  const fields = `"method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${Math.round(ms)},"requestId":"${id}"`;
  logLine(log, fields, "request");
}

const unusedFeatures = [
  ...["accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media", "geolocation"],
  ...["gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment", "picture-in-picture"],
  ...["serial", "usb", "xr-spatial-tracking"],
];
const passkeyFeatures = ["publickey-credentials-create", "publickey-credentials-get"];

export function isDisconnected({ env }: Context<Web>): boolean {
  const { incoming, outgoing } = env ?? {};
  return outgoing?.destroyed === true || (incoming?.destroyed === true && !incoming.complete);
}

/** Pages write their own responses (server/pages/pages.ts). */
function isSent({ env }: Context<Web>): boolean {
  return env?.outgoing?.headersSent === true;
}

export function securityHeaderValues({ url }: Pick<Site, "url">): [name: string, value: string][] {
  const always: [string, string][] = [
    ["x-content-type-options", "nosniff"],
    // With no-referrer, browsers send `Origin: null` with forms, which is refused.
    ["referrer-policy", "strict-origin-when-cross-origin"],
    ["x-frame-options", "DENY"],
    ["cross-origin-opener-policy", "same-origin"],
    // Injected scripts can use no more than our pages do.
    ["permissions-policy", [...unusedFeatures.map((name) => `${name}=()`), ...passkeyFeatures.map((name) => `${name}=(self)`)].join(", ")],
  ];
  return url.startsWith("https:") ? [...always, ["strict-transport-security", "max-age=31536000"]] : always;
}

/** Headers of every response outside `/v1`, which sets its own. */
export function commonHeaders(site: Site) {
  const headers = securityHeaderValues(site);
  return createMiddleware<Web>(async (c, next) => {
    const id = c.get("requestId");
    // Set on Node's response: changing a finished one copies it.
    c.env?.outgoing?.setHeader(requestIdHeader, id);
    await next();
    if (isSent(c)) return;
    for (const [name, value] of headers) c.res.headers.set(name, value);
    if (!c.env?.outgoing) c.header(requestIdHeader, id);
  });
}

export function refuseOtherOrigins(site: Site) {
  const sessionCookie = sessionCookieName(site.url);
  return createMiddleware<Web>(async (c, next) => {
    if (isReadMethod(c.req.method) || isFromOwnPage((name) => c.req.header(name), site.url, sessionCookie)) return next();
    return refuse(c, limitRefusals.foreign);
  });
}
