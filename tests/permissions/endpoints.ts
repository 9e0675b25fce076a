import { pathToFileURL } from "node:url";
import type { Hono } from "hono";
import type { ServerBuild } from "react-router";
import type { Web } from "#server/http.ts";
import { requested } from "./world.ts";

const pages = new URL("../../build/server/index.js", pathToFileURL(import.meta.filename));

export type Endpoint = string;

/**
 * Everything that a request can reach: the server router's paths, which are every operation of the API under both names, files, feeds and
 * health checks; then the loaders and actions of the route map, and both sockets.
 */
export async function listEndpoints(web: Hono<Web>): Promise<Endpoint[]> {
  const routed = web.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/\{.*\}/g, "")}`);
  const ofPages = (await listPages()).flatMap(({ path, screen, loader, action }) => [
    ...(screen || loader ? [`GET ${path}`] : []),
    ...(action ? [`POST ${path}`] : []),
  ]);
  return [...new Set([...routed, ...ofPages, "WS /live", "WS /v1/realtime"])].sort();
}

/** The route map's pages and their parts in the build. */
export async function listPages() {
  const { routes } = (await import(/* @vite-ignore */ pages.href)) as ServerBuild;
  return Object.values(routes).flatMap((route) => {
    if (!route || route.id === "root") return [];
    const { default: screen, loader, action } = route.module;
    return [{ id: route.id, path: pathOf(route, routes), screen: Boolean(screen), loader: Boolean(loader), action: Boolean(action) }];
  });
}

type Routes = ServerBuild["routes"];

function pathOf(route: NonNullable<Routes[string]>, routes: Routes): string {
  const parent = route.parentId ? routes[route.parentId] : undefined;
  const path = `${parent ? pathOf(parent, routes) : ""}/${route.path ?? ""}`.replaceAll(/\/+/g, "/");
  return path === "/" ? path : path.replace(/\/$/, "");
}

/** Of all endpoints that match a request, the one with the fewest parameters answers. */
function endpointOf(request: string, endpoints: Endpoint[]): Endpoint | undefined {
  const fits = (endpoint: Endpoint) => new RegExp(`^${endpoint.replaceAll(/[.*]/g, "\\$&").replaceAll(/:\w+/g, "[^/]+")}$`).test(request);
  const parameterCount = (endpoint: Endpoint) => endpoint.split(":").length;
  return endpoints.filter(fits).sort((a, b) => parameterCount(a) - parameterCount(b))[0];
}

/** Endpoints that each kind of person has requested. */
export function requestedByAll(who: string[], endpoints: Endpoint[]): Set<Endpoint> {
  const requesters = new Map<Endpoint, Set<string>>();
  for (const [request, by] of requested) {
    const endpoint = endpointOf(request, endpoints);
    if (endpoint) requesters.set(endpoint, new Set([...(requesters.get(endpoint) ?? []), ...by]));
  }
  return new Set([...requesters].filter(([, by]) => who.every((role) => by.has(role))).map(([endpoint]) => endpoint));
}

const isPublic = "public; needs no permission";
const withoutSession = "without a session; a password, a passkey or an emailed link authorizes";
const redirects = "only redirects";

/** Endpoints without a row in the table of permissions, with the reason. */
export const openToAll: Record<string, Endpoint[]> = {
  [isPublic]: [
    "GET /",
    "GET /home/figures",
    "GET /search/suggestions",
    "GET /featured-writers",
    ...["/writing-guidelines", "/events", "/community-chat", "/help", "/contact", "/privacy", "/terms", "/cookies"].map(
      (path) => `GET ${path}`,
    ),
    "GET /sitemap.xml",
    "GET /sitemap/:page",
    "GET /robots.txt",
    "GET /.well-known/security.txt",
    ...["GET /manifest.webmanifest", "GET /service-worker.js", "GET /offline"],
    ...["GET /v1/ping", "OPTIONS /v1/*"],
    "GET /v1/openapi.json",
    "GET /menu",
    "GET /404",
    "POST /404",
    "GET /*",
    "POST /*",
  ],
  "reports an anonymous browser error": ["POST /client-errors"],
  "health check": ["GET /healthz", "GET /readyz"],
  "sets a cookie with the browser's choice": ["GET /theme", "POST /theme"],
  "the address must be confirmed by email before anything is sent": [
    "GET /subscribe",
    "POST /subscribe",
    "GET /subscribe/confirm",
    "POST /subscribe/confirm",
  ],
  "nothing is there; only staff learn it": ["GET /admin/*", "POST /admin/*"],
  "redirects to the audit log, which checks the permission": ["GET /admin/undo"],
  "the emailed link authorizes": [...["GET /unsubscribe", "POST /unsubscribe", "GET /notifications/stop", "POST /notifications/stop"]],
  [withoutSession]: [
    ...["/signup", "/login", "/login/code", "/forgot-password", "/reset-password", "/reset-password/review", "/verify-email"].flatMap(
      (path) => [`GET ${path}`, `POST ${path}`],
    ),
    "POST /login/passkey",
    "POST /login/passkey/start",
    "GET /account/email",
    "GET /account/not-me",
    "POST /account/not-me",
    "POST /v1/account",
    "POST /v1/account/sessions/email",
    "POST /v1/account/recovery",
    "PUT /v1/account/recovery",
    "PUT /v1/account/verification",
    "PUT /v1/account/verifications/email",
  ],
  "the link printed at the console authorizes, only while there is no administrator": ["GET /setup", "POST /setup"],
  "ends the request's own session": ["POST /logout"],
  [redirects]: [
    "GET /post",
    "GET /login/passkey",
    "GET /login/passkey/start",
    "GET /logout",
    "GET /verify-email/again",
    "GET /account/devices",
    "GET /notifications/devices",
    "GET /account/passkeys/:step",
    "GET /profile/:userId/follow",
  ],
};
