import { type Context, Hono } from "hono";
import type { z } from "zod";
import { refuseDuringMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import { type ApiConfig, defaultApi } from "#platform/config.ts";
import { isOutage } from "#platform/database/errors.ts";
import { clientIpReader } from "#server/limits/client-ip.ts";
import { withNetwork } from "#server/session/session.ts";
import type { Web } from "../http.ts";
import type { RequestLimiter } from "../limits/request-limiter.ts";
import { isDisconnected, securityHeaderValues } from "../middleware.ts";
import { requestIdHeader } from "../request-ids.ts";
import { accountOperations } from "./account/account.ts";
import { emailLinkOperations } from "./account/email-links.ts";
import { sessionOperations } from "./account/session-operations.ts";
import { type Caller, checkScope, identifyCaller, requireMember } from "./caller.ts";
import { endpointsOf, readOperations } from "./documents/documents.ts";
import { followWriter } from "./documents/follows.ts";
import { conversationWriter, messageWriter } from "./documents/messages.ts";
import { postWriter } from "./documents/posts.ts";
import { profileWriter } from "./documents/profiles.ts";
import { reactionWriter } from "./documents/reactions.ts";
import { reportWriter } from "./documents/reports.ts";
import { writeOperations } from "./documents/write-operations.ts";
import { ApiError, limitError, protocolVersion, routeError, translate } from "./errors.ts";
import { fileOperations } from "./files/operations.ts";
import { encodeJson } from "./json.ts";
import { apiDescriber } from "./openapi.ts";
import type { Api, Call, Handler, Operation } from "./operation.ts";
import { checkProjectAndOrigin, originScope } from "./origins.ts";
import { checkId, parseParams, queryOf, readJson } from "./params.ts";

type Parts = { site: Site; config?: ApiConfig | undefined; proxies?: string[] | undefined; limiter: RequestLimiter };

/** `/v1`: the public API, in Appwrite's protocol (docs/api.md). */
export function apiRoutes(parts: Parts): Hono<Web> {
  const api = new ApiRoutes(parts);
  const { site, config = defaultApi } = parts;
  api.on({ method: "get", path: "/ping", summary: "Answers `Pong!`.", response: "bytes" }, async () => new Response("Pong!"));
  accountOperations(api);
  sessionOperations(api);
  emailLinkOperations(api);
  const reactions = [reactionWriter("likes"), reactionWriter("bookmarks")];
  for (const writer of [postWriter, profileWriter, ...reactions, messageWriter, conversationWriter, followWriter, reportWriter])
    for (const endpoint of endpointsOf(config, writer)) {
      readOperations(api, endpoint);
      writeOperations(api, endpoint);
    }
  fileOperations(api, config);
  return api.finish(apiDescriber(api.operations, site));
}

/** Visitors only sign in and up, and recover their accounts. */
const maxVisitorBodyBytes = 64 * kilobyte;

const preflightHeaders = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": [
    ...["Content-Type", "Content-Range", "Range", "Authorization", "Cache-Control", "If-None-Match"],
    ...["X-Appwrite-Project", "X-Appwrite-Key", "X-Appwrite-JWT", "X-Appwrite-Session", "X-Appwrite-Locale", "X-Appwrite-Dev-Key"],
    ...["X-Appwrite-ID", "X-Appwrite-Response-Format", "X-Appwrite-Timestamp", "X-Fallback-Cookies"],
    ...["X-SDK-Name", "X-SDK-Platform", "X-SDK-Language", "X-SDK-Version"],
    ...["X-Appwrite-Impersonate-User-Id", "X-Appwrite-Impersonate-User-Email", "X-Appwrite-Impersonate-User-Phone"],
  ].join(", "),
  "access-control-max-age": "600",
};

class ApiRoutes implements Api {
  readonly operations: Operation[] = [];
  readonly #routes = new Hono<Web>();
  readonly #site: Site;
  readonly #config: ApiConfig;
  readonly #limiter: RequestLimiter;
  readonly #clientIp: ReturnType<typeof clientIpReader>;
  readonly #fixedHeaders: Record<string, string>;

  constructor({ site, config = defaultApi, proxies, limiter }: Parts) {
    this.#site = site;
    this.#config = config;
    this.#limiter = limiter;
    this.#clientIp = clientIpReader(proxies);
    this.#fixedHeaders = {
      ...Object.fromEntries(securityHeaderValues(site)),
      // Other sites' pages may show our pictures.
      "cross-origin-resource-policy": "cross-origin",
      // Also without an Origin: a cached picture that a page shows has no CORS headers for a script that reads it.
      vary: "origin",
    };
    this.#routes.use(limiter.check((c, refusal) => this.#fail(c, limitError(refusal))));
    this.#routes.options("*", (c) => this.#preflight(c));
  }

  on<Body extends z.ZodType, Query extends z.ZodType>(operation: Operation<Body, Query>, run: Handler<Body, Query>): void {
    this.operations.push(operation);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    this.#routes.on(operation.method.toUpperCase(), path, (c) =>
      this.#handle(c, operation, run).catch((error: unknown) => this.#refuse(c, error)),
    );
  }

  finish(describe: () => object): Hono<Web> {
    const type = { "content-type": "application/json; charset=UTF-8" };
    this.#routes.get("/openapi.json", (c) => Response.json(describe(), { headers: { ...this.#headers(c), ...type } }));
    this.#routes.all("*", (c) => this.#fail(c, new ApiError(routeError(c.req.path, this.#config))));
    return this.#routes;
  }

  async #handle<Body extends z.ZodType, Query extends z.ZodType>(
    c: Context<Web>,
    operation: Operation<Body, Query>,
    run: Handler<Body, Query>,
  ): Promise<Response> {
    const ip = c.env?.incoming ? this.#clientIp(c.env.incoming) : "unknown";
    const caller = await this.#authorize(c, operation, ip);
    const params = c.req.param() as Record<string, string>;
    for (const [name, value] of Object.entries(params)) checkId(name, value);
    let query: unknown;
    const addedHeaders: [name: string, value: string][] = [];
    const result = await run({
      ...caller,
      site: this.#site,
      config: this.#config,
      params,
      origin: this.#isClient(c) ? c.req.header("origin") : undefined,
      request: c.req.raw,
      body: operation.body && parseParams(operation.body, await readJson(c.req.raw, caller.viewer ? undefined : maxVisitorBodyBytes)),
      // Getters: a cached response needs neither.
      get query() {
        query ??= operation.query && parseParams(operation.query, queryOf(c.req.url));
        return query;
      },
      get client() {
        return { ip, userAgent: c.req.header("user-agent") ?? null, cookie: c.req.header("cookie") ?? null };
      },
      format: c.req.header("x-appwrite-response-format") ?? protocolVersion,
      header: (name, value) => void addedHeaders.push([name, value]),
    } as Call<z.output<Body>, z.output<Query>>);
    const headers = this.#headers(c);
    if (result instanceof Response) {
      for (const [name, value] of Object.entries(headers)) result.headers.set(name, value);
      return result;
    }
    headers["cache-control"] = "private, no-store";
    const body = result && (await encodeJson(result, c.req.header("accept-encoding"), headers));
    const all = addedHeaders.length === 0 ? headers : new Headers([...Object.entries(headers), ...addedHeaders]);
    return new Response(body ?? null, { status: body ? (operation.status ?? 200) : 204, headers: all });
  }

  /** @throws ApiError, UnderMaintenance. */
  async #authorize(c: Context<Web>, { method, path, scope, membersOnly }: Operation, ip: string): Promise<Caller> {
    checkProjectAndOrigin(c.req, this.#site, this.#config);
    const identified = await identifyCaller(this.#site, this.#config, (name) => c.req.header(name));
    const caller = { ...identified, viewer: withNetwork(ip, identified.viewer) };
    const refusal = caller.viewer && this.#limiter.countAccount(c, caller.viewer.id);
    if (refusal) throw limitError(refusal);
    checkScope(caller, scope ?? (method === "get" ? "read" : "write"));
    // Signing in stays possible, for the administrator who will end the maintenance.
    if (path !== "/account/sessions/email") refuseDuringMaintenance(this.#site, caller.viewer);
    if (membersOnly) requireMember(caller);
    return caller;
  }

  #preflight(c: Context<Web>): Response {
    return new Response(null, { status: 204, headers: { ...this.#headers(c), ...(this.#isClient(c) && preflightHeaders) } });
  }

  #isClient(c: Context<Web>): boolean {
    return originScope(c.req.header("origin"), this.#site.url, this.#config) === "client";
  }

  #headers(c: Context<Web>): Record<string, string> {
    return { ...this.#fixedHeaders, ...this.#corsHeaders(c), [requestIdHeader]: c.get("requestId") ?? "" };
  }

  #corsHeaders(c: Context<Web>): Record<string, string> | undefined {
    if (!this.#isClient(c)) return undefined;
    return {
      "access-control-allow-origin": c.req.header("origin") ?? "",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "X-Appwrite-Session, X-Fallback-Cookies, X-Appwrite-Warning",
    };
  }

  #refuse(c: Context<Web>, error: unknown): Response {
    const known = translate(error, c.req.path);
    if ((!known || isOutage(error)) && !isDisconnected(c)) this.#site.log.error({ err: error, path: c.req.path }, "an API request failed");
    return this.#fail(c, known ?? new ApiError("general_server_error"));
  }

  #fail(c: Context<Web>, error: ApiError): Response {
    const headers = this.#headers(c);
    Object.assign(headers, { "cache-control": "no-cache, no-store, must-revalidate", pragma: "no-cache", expires: "0" });
    if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(error.retryAfterSeconds);
    return Response.json(error.toBody(c.req.path), { status: error.status, headers });
  }
}
