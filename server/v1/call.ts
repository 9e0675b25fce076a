import type { Context } from "hono";
import type { ApiKeyScope } from "#domain/accounts/api-keys/api-key.ts";
import { authenticateApiKey } from "#domain/accounts/api-keys/api-keys.server.ts";
import type { Origin } from "#domain/accounts/sign-in/auth.server.ts";
import type { Member, Site, Viewer } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import { days } from "#platform/time.ts";
import { readPerson } from "#server/session/read-session.ts";
import { findSession, viewerOf } from "#server/session/session.ts";
import type { Web } from "../http.ts";
import { ApiError } from "./errors.ts";
import { readJwt } from "./jwt.ts";
import { originScope } from "./origins.ts";
import { presentedSession, type SessionTransport } from "./sessions.ts";

/**
 * Who asks, how they showed it, and which version of the database says so, where it was asked. `scopes`: what the key that they showed
 * lets them do; undefined for a person with a session, who may do whatever they may.
 */
export type Caller = {
  viewer: Viewer;
  way: SessionTransport | "jwt" | "key" | undefined;
  scopes?: ApiKeyScope[] | undefined;
  version?: string | undefined;
};

export type Call<Body = unknown, Query = unknown> = Caller & {
  site: Site;
  config: ApiConfig;
  request: Request;
  params: Record<string, string>;
  body: Body;
  query: Query;
  fromOrigin: string | undefined;
  origin: Origin;
  format: string;
  header(name: string, value: string): void;
};

/** What an operation answers with when it is JSON already, as bytes. */
export class Answer {
  readonly json: Uint8Array<ArrayBuffer>;

  constructor(json: Uint8Array<ArrayBuffer>) {
    this.json = json;
  }
}

/** @throws ApiError for a JWT or a key that is wrong or too old; any other session that can't be used is nobody's. */
export async function identifyCaller(site: Site, { project }: ApiConfig, header: (name: string) => string | undefined): Promise<Caller> {
  const jwt = header("x-appwrite-jwt");
  if (jwt) return { viewer: await viewerOfJwt(site, jwt), way: "jwt" };
  const presented = presentedSession(site, project, header);
  if (!presented) return (await callerOfKey(site, header("x-appwrite-key"))) ?? { viewer: null, way: undefined };
  const { viewer, old, version } = await findSession(site, { token: presented.token });
  if (viewer?.id !== presented.userId) return { viewer: null, way: undefined };
  if (old && viewer.sessionId) await extendSession(site, viewer.sessionId);
  return { viewer, way: presented.way, version };
}

async function callerOfKey(site: Site, secret: string | undefined): Promise<Caller | undefined> {
  if (!secret) return undefined;
  const key = await authenticateApiKey(site, secret);
  const person = key && (await readPerson(site, key.userId));
  if (!person) throw new ApiError("user_unauthorized", "The API key is unknown, removed or expired.");
  const viewer = await viewerOf(site, { ...person, provedAt: null }, null);
  return { viewer: key.scopes.includes("moderate") ? viewer : asMember(viewer), way: "key", scopes: key.scopes, version: person.version };
}

function asMember(viewer: Member): Member {
  return { ...viewer, staff: null };
}

export type NeededScope = "read" | "write" | "none";

export function mustBeInScope({ scopes }: Caller, needed: NeededScope): void {
  if (!scopes || (needed !== "none" && scopes.includes(needed))) return;
  const missing = needed === "none" ? "account.security" : needed;
  throw new ApiError("general_unauthorized_scope", `App (role: applications) missing scope (${missing})`);
}

async function viewerOfJwt(site: Site, jwt: string): Promise<Viewer> {
  const claims = await readJwt(site, jwt);
  const { viewer } = claims ? await findSession(site, { id: claims.sessionId }) : { viewer: null };
  if (!viewer || viewer.id !== claims?.userId) throw new ApiError("user_jwt_invalid", "Failed to verify JWT. Invalid or expired token.");
  return viewer;
}

const month = days(30);

export async function extendSession(site: Site, sessionId: string): Promise<void> {
  const [now, until] = [new Date(site.now()).toISOString(), new Date(site.now() + month).toISOString()];
  await site.db.updateTable("sessions").set({ updatedAt: now, expiresAt: until }).where("id", "=", sessionId).execute();
}

export function signedIn({ viewer }: Caller): Member {
  if (!viewer) throw new ApiError("general_unauthorized_scope");
  return viewer;
}

const writing = ["POST", "PUT", "PATCH", "DELETE"];

export function checkProjectAndOrigin(c: Context<Web>, site: Site, config: ApiConfig): void {
  const project = c.req.query("project") ?? c.req.header("x-appwrite-project");
  if (project !== config.project) throw new ApiError("project_not_found");
  const origin = c.req.header("origin");
  if (writing.includes(c.req.method) && isElsewhere(origin, c.req.header("sec-fetch-site"), site, config))
    throw new ApiError("general_unknown_origin", unknownOrigin(origin));
}

function isElsewhere(origin: string | undefined, fetchSite: string | undefined, { url }: Site, config: ApiConfig): boolean {
  if (origin === undefined) return fetchSite === "cross-site" || fetchSite === "same-site";
  return originScope(origin, url, config) === "elsewhere";
}

export function unknownOrigin(origin: string | undefined): string {
  const host = URL.parse(origin ?? "")?.host || "null";
  return `Invalid Origin. Register your new client (${host}) as a new Web platform on your project console dashboard`;
}
