import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import type { z } from "zod";
import { refuseDuringMaintenance } from "#domain/settings/maintenance.ts";
import type { Site } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import type { ApiConfig } from "#platform/config.ts";
import { clientAddressReader } from "#server/limits/client-address.ts";
import { withNetwork } from "#server/session/session.ts";
import type { Web } from "../http.ts";
import type { Gate } from "../limits/gate.ts";
import { hasGone, securityHeaderValues } from "../middleware.ts";
import { Answer, type Call, checkProjectAndOrigin, identifyCaller, mustBeInScope, type NeededScope, signedIn } from "./call.ts";
import { ApiError, limitError, protocolVersion, translate } from "./errors.ts";
import { type OriginScope, originScope } from "./origins.ts";
import { checkAll, checkId, queryOf, readJson } from "./params.ts";

export type Operation<Body extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> = {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With `{names}` in braces; each is an id unless `params` says otherwise. */
  path: string;
  does: string;
  /** Fields of the JSON body, and parameters in the address. */
  body?: Body;
  query?: Query;
  describes?: z.ZodType;
  form?: z.ZodType;
  answer: z.ZodType | "nothing" | "bytes";
  status?: 201;
  personal?: boolean;
  /** What a key needs for it; `read` for what only reads and `write` for everything else, unless it says otherwise. */
  scope?: NeededScope;
  table?: boolean;
};

type Run<Body extends z.ZodType, Query extends z.ZodType> = (call: Call<z.output<Body>, z.output<Query>>) => Promise<object | undefined>;

type Parts = { site: Site; config: ApiConfig; proxies?: string[] | undefined; gate: Gate };

const allowedHeaders = [
  ...["Content-Type", "Content-Range", "Range", "Authorization", "Cache-Control", "If-None-Match"],
  ...["X-Appwrite-Project", "X-Appwrite-Key", "X-Appwrite-JWT", "X-Appwrite-Session", "X-Appwrite-Locale", "X-Appwrite-Dev-Key"],
  ...["X-Appwrite-ID", "X-Appwrite-Response-Format", "X-Appwrite-Timestamp", "X-Fallback-Cookies"],
  ...["X-SDK-Name", "X-SDK-Platform", "X-SDK-Language", "X-SDK-Version"],
  ...["X-Appwrite-Impersonate-User-Id", "X-Appwrite-Impersonate-User-Email", "X-Appwrite-Impersonate-User-Phone"],
].join(", ");

export class Api {
  readonly routes = new Hono<Web>();
  readonly operations: Operation[] = [];
  readonly #parts: Parts;
  readonly #clientAddress: ReturnType<typeof clientAddressReader>;
  readonly #headers: [name: string, value: string][];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#clientAddress = clientAddressReader(parts.proxies);
    // Pages of clients show its pictures.
    this.#headers = [...securityHeaderValues(parts.site), ["cross-origin-resource-policy", "cross-origin"]];
    this.#answerOtherSites();
    this.routes.use(parts.gate.check((c, refusal) => this.#fail(limitError(refusal), c.req.path)));
    this.routes.onError((error, c) => {
      const known = translate(error, c.req.path);
      if (!known && !hasGone(c)) parts.site.log.error({ err: error, path: c.req.path }, "the API could not answer");
      return this.#fail(known ?? new ApiError("general_server_error"), c.req.path);
    });
  }

  on<Body extends z.ZodType, Query extends z.ZodType>(operation: Operation<Body, Query>, run: Run<Body, Query>): void {
    this.operations.push(operation);
    const { site, config, gate } = this.#parts;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    this.routes.on(operation.method.toUpperCase(), path, operation.answer === "bytes" ? asItIs : zipped, async (c) => {
      checkProjectAndOrigin(c, site, config);
      const address = c.env?.incoming ? this.#clientAddress(c.env.incoming) : "unknown";
      const identified = await identifyCaller(site, config, (name) => c.req.header(name));
      const caller = { ...identified, viewer: withNetwork(address, identified.viewer) };
      const refusal = caller.viewer && gate.countAccount(c, caller.viewer.id);
      if (refusal) throw limitError(refusal);
      mustBeInScope(caller, operation.scope ?? (operation.method === "get" ? "read" : "write"));
      // Signing in stays open, or no administrator could come and end it.
      if (operation.path !== "/account/sessions/email") refuseDuringMaintenance(site, caller.viewer);
      if (operation.personal) signedIn(caller);
      const params = c.req.param() as Record<string, string>;
      for (const [name, value] of Object.entries(params)) checkId(name, value);
      let query: unknown;
      const answer = await run({
        ...caller,
        site,
        config,
        params,
        fromOrigin: this.#place(c) === "client" ? c.req.header("origin") : undefined,
        request: c.req.raw,
        body: operation.body
          ? checkAll(operation.body, await readJson(c.req.raw, caller.viewer ? undefined : maxVisitorBodyBytes))
          : undefined,
        // These two only where they are looked at: an answer that is kept needs neither.
        get query() {
          query ??= operation.query && checkAll(operation.query, queryOf(c.req.url));
          return query;
        },
        get origin() {
          return { address, userAgent: c.req.header("user-agent") ?? null, cookie: c.req.header("cookie") ?? null };
        },
        format: c.req.header("x-appwrite-response-format") ?? protocolVersion,
        header: (name, value) => c.header(name, value, { append: true }),
      } as Call<z.output<Body>, z.output<Query>>);
      if (answer instanceof Response) {
        for (const [name, value] of this.#headers) answer.headers.set(name, value);
        return answer;
      }
      for (const [name, value] of this.#headers) c.header(name, value);
      c.header("cache-control", "private, no-store");
      if (answer === undefined) return c.body(null, 204);
      if (!(answer instanceof Answer)) return c.json(answer, operation.status ?? 200);
      return c.body(answer.json, 200, { "content-type": "application/json" });
    });
  }

  finish(): Hono<Web> {
    this.routes.all("*", () => {
      throw new ApiError("general_route_not_found");
    });
    return this.routes;
  }

  #place(c: Context<Web>): OriginScope {
    return originScope(c.req.header("origin"), this.#parts.site.url, this.#parts.config);
  }

  #answerOtherSites(): void {
    this.routes.use(async (c, next) => {
      const isClient = this.#place(c) === "client";
      if (c.req.method === "OPTIONS") c.res = new Response(null, { status: 204 });
      else await next();
      if (!isClient) return;
      c.res.headers.set("access-control-allow-origin", c.req.header("origin") ?? "");
      c.res.headers.set("access-control-allow-credentials", "true");
      c.res.headers.set("access-control-expose-headers", "X-Appwrite-Session, X-Fallback-Cookies, X-Appwrite-Warning");
      c.res.headers.append("vary", "origin");
      if (c.req.method !== "OPTIONS") return;
      c.res.headers.set("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE");
      c.res.headers.set("access-control-allow-headers", allowedHeaders);
      c.res.headers.set("access-control-max-age", "600");
    });
  }

  #fail(error: ApiError, path = ""): Response {
    const headers = [...this.#headers, ["cache-control", "no-cache, no-store, must-revalidate"], ["pragma", "no-cache"], ["expires", "0"]];
    if (error.retryAfterSeconds !== undefined) headers.push(["retry-after", String(error.retryAfterSeconds)]);
    return Response.json(error.toBody(path), { status: error.status, headers: headers as [string, string][] });
  }
}

/** Bytes: signing in and up, and recovery, are all that visitors can send. */
const maxVisitorBodyBytes = 64 * kilobyte;

/** Not for bytes: parts of files are asked for by their places in the file. */
const zip = compress();
const zipped: MiddlewareHandler<Web> = (c, next) => (c.req.header("accept-encoding") ? zip(c, next) : next());
const asItIs: MiddlewareHandler<Web> = (_c, next) => next();
