import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import type { Site } from "#domain/site.ts";
import { isFromOwnPage } from "#server/limits/own-origin.ts";
import type { Web } from "./http.ts";
import { limitRefusals, refuse } from "./limits/refuse.ts";
import { isReading } from "./limits/route-class.ts";
import type { Metrics } from "./metrics/metrics.ts";

/** One line per request: method, path, status and milliseconds; addresses and query texts stay out of the log. */
export function logRequests(site: Site, { metrics, patternOf }: { metrics: Metrics | undefined; patternOf: (path: string) => string }) {
  return createMiddleware<Web>(async (c, next) => {
    const start = performance.now();
    await next();
    const ms = performance.now() - start;
    const status = isSent(c) ? c.env.outgoing.statusCode : c.res.status;
    metrics?.answered({ method: c.req.method, route: patternOf(c.req.path), status, seconds: ms / 1000 });
    const quiet = c.req.path.startsWith("/assets/") || c.req.path === "/healthz";
    const line = { method: c.req.method, path: c.req.path, status, ms: Math.round(ms) };
    if (status >= 500 && !hasGone(c)) site.log.error(line, "request");
    else if (!quiet) site.log.info(line, "request");
  });
}

const unusedFeatures = [
  ...["accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media", "geolocation"],
  ...["gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment", "picture-in-picture"],
  ...["serial", "usb", "xr-spatial-tracking"],
];
const passkeyFeatures = ["publickey-credentials-create", "publickey-credentials-get"];

export function hasGone({ env }: Context<Web>): boolean {
  const { incoming, outgoing } = env ?? {};
  return outgoing?.destroyed === true || (incoming?.destroyed === true && !incoming.complete);
}

/** A page writes its own answer (server/pages/pages.ts). */
function isSent({ env }: Context<Web>): boolean {
  return env?.outgoing?.headersSent === true;
}

export function securityHeaderValues({ url }: Pick<Site, "url">): [name: string, value: string][] {
  const always: [string, string][] = [
    ["x-content-type-options", "nosniff"],
    // Not no-referrer: browsers would then send `Origin: null` with forms, which the pages refuse.
    ["referrer-policy", "strict-origin-when-cross-origin"],
    ["x-frame-options", "DENY"],
    ["cross-origin-opener-policy", "same-origin"],
    // What no page here asks a browser for, no script that gets into one may ask for either.
    ["permissions-policy", [...unusedFeatures.map((name) => `${name}=()`), ...passkeyFeatures.map((name) => `${name}=(self)`)].join(", ")],
  ];
  return url.startsWith("https:") ? [...always, ["strict-transport-security", "max-age=31536000"]] : always;
}

export function securityHeaders(site: Site) {
  const headers = securityHeaderValues(site);
  return createMiddleware<Web>(async (c, next) => {
    await next();
    if (isSent(c)) return;
    // Not by c.header, which makes a new answer around the stream of the old one's body each time.
    for (const [name, value] of headers) c.res.headers.set(name, value);
  });
}

export function refuseOtherOrigins(site: Site) {
  const sessionCookie = sessionCookieName(site.url);
  return createMiddleware<Web>(async (c, next) => {
    if (isReading(c.req.method) || isFromOwnPage((name) => c.req.header(name), site.url, sessionCookie)) return next();
    return refuse(c, limitRefusals.foreign);
  });
}
