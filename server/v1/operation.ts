import type { z } from "zod";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import type { Caller, NeededScope } from "./caller.ts";

export type Operation<Body extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> = {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With `{names}` in braces, each of which is an id. */
  path: string;
  summary: string;
  /** Fields of the JSON body, and parameters in the URL. */
  body?: Body;
  query?: Query;
  /** The body for the description, if `body` checks less than the operation does. */
  documentedBody?: z.ZodType;
  form?: z.ZodType;
  response: z.ZodType | "nothing" | "bytes";
  status?: 201;
  membersOnly?: boolean;
  /** Scope that an API key needs. Default: `read` for GET, otherwise `write`. */
  scope?: NeededScope;
  /** The same operation under the newer path of tables and rows; omitted from the description. */
  usesTableNames?: boolean;
};

export type Call<Body = unknown, Query = unknown> = Caller & {
  site: Site;
  config: ApiConfig;
  request: Request;
  params: Record<string, string>;
  body: Body;
  query: Query;
  /** Origin of the other site's page that called, if any. */
  origin: string | undefined;
  client: ClientInfo;
  /** The response format that the client requests: a protocol version. */
  format: string;
  /** Adds a response header. */
  header(name: string, value: string): void;
};

export type Handler<Body extends z.ZodType, Query extends z.ZodType> = (
  call: Call<z.output<Body>, z.output<Query>>,
) => Promise<object | undefined>;

export type Api = {
  on<Body extends z.ZodType, Query extends z.ZodType>(operation: Operation<Body, Query>, run: Handler<Body, Query>): void;
};
