import { createHmac, timingSafeEqual } from "node:crypto";
import { sign, verify } from "hono/jwt";
import { parse, serialize } from "hono/utils/cookie";
import type { ApiKeyScope } from "#domain/accounts/api-keys/api-key.ts";
import { authenticateApiKey } from "#domain/accounts/api-keys/api-keys.server.ts";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import type { Member, Site, Viewer } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import { parseJson } from "#platform/json.ts";
import { seconds } from "#platform/time.ts";
import { extendSession, findApiKeyOwner, findSession, maxSessionMs, sessionToken } from "#server/session/session.ts";
import { ApiError } from "./errors.ts";

/**
 * The viewer, and how the request identified them. `scopes` limit an API key. `version` is the database version
 * that the viewer was read at.
 */
export type Caller = {
  viewer: Viewer;
  authMethod: SessionTransport | "jwt" | "key" | undefined;
  scopes?: ApiKeyScope[] | undefined;
  databaseVersion?: string | undefined;
};

export type SessionTransport = "cookie" | "header";
type ReadHeader = (name: string) => string | undefined;
type Session = { userId: string; token: string };

/** An unusable session counts as none. @throws ApiError for an invalid JWT or API key. */
export async function identifyCaller(site: Site, { project }: ApiConfig, header: ReadHeader): Promise<Caller> {
  const jwt = header("x-appwrite-jwt");
  if (jwt) return { viewer: await viewerOfJwt(site, jwt), authMethod: "jwt" };
  const presented = presentedSession(site, project, header);
  if (!presented) return (await callerOfKey(site, header("x-appwrite-key"))) ?? { viewer: null, authMethod: undefined };
  const { viewer, needsRenewal, version } = await findSession(site, { token: presented.token });
  if (viewer?.id !== presented.userId) return { viewer: null, authMethod: undefined };
  if (needsRenewal && viewer.sessionId) await extendSession(site, viewer.sessionId);
  return { viewer, authMethod: presented.authMethod, databaseVersion: version };
}

async function viewerOfJwt(site: Site, jwt: string): Promise<Viewer> {
  const claims = await readJwt(site, jwt);
  const { viewer, epoch } = claims ? await findSession(site, { id: claims.sessionId }) : { viewer: null };
  // A new password keeps the session that chose it, but not what was issued for it.
  if (!viewer || viewer.id !== claims?.userId || epoch !== claims.epoch)
    throw new ApiError("user_jwt_invalid", "Failed to verify JWT. Invalid or expired token.");
  return viewer;
}

async function callerOfKey(site: Site, secret: string | undefined): Promise<Caller | undefined> {
  if (!secret) return undefined;
  const key = await authenticateApiKey(site, secret);
  const person = key && (await findApiKeyOwner(site, key.userId));
  if (!person) throw new ApiError("user_unauthorized", "The API key is unknown, removed or expired.");
  const { viewer, version } = person;
  return {
    viewer: key.scopes.includes("moderate") ? viewer : { ...viewer, staff: null },
    authMethod: "key",
    scopes: key.scopes,
    databaseVersion: version,
  };
}

export type NeededScope = "read" | "write" | "none";

export function checkScope({ scopes }: Caller, needed: NeededScope): void {
  if (!scopes || (needed !== "none" && scopes.includes(needed))) return;
  const missing = needed === "none" ? "account.security" : needed;
  throw new ApiError("general_unauthorized_scope", `App (role: applications) missing scope (${missing})`);
}

export function requireMember({ viewer }: Caller): Member {
  if (!viewer) throw new ApiError("general_unauthorized_scope");
  return viewer;
}

/** The first valid session of a request. */
function presentedSession(
  site: Pick<Site, "secret">,
  project: string,
  header: ReadHeader,
): (Session & { authMethod: SessionTransport }) | undefined {
  const name = cookieName(project);
  const cookies = parse(header("cookie") ?? "");
  const fallback = header("x-fallback-cookies");
  const fallbackSessions = fallback ? (parseJson(fallback) as Record<string, unknown> | null | undefined) : null;
  const candidates: [SessionTransport, unknown][] = [
    ["cookie", cookies[name]],
    ["cookie", cookies[`${name}_legacy`]],
    ["header", header("x-appwrite-session")],
    ["header", fallbackSessions && Object.hasOwn(fallbackSessions, name) ? fallbackSessions[name] : undefined],
  ];
  for (const [authMethod, value] of candidates) {
    const session = readSessionValue(site, value);
    if (session) return { ...session, authMethod };
  }
  return undefined;
}

export function hasSessionCookie(site: Pick<Site, "secret" | "url">, header: ReadHeader): boolean {
  return sessionToken(header("cookie") ?? null, sessionCookieName(site.url), site.secret) !== undefined;
}

/** Without a database query. */
export function hasCredentials(site: Pick<Site, "secret" | "url">, { project }: ApiConfig, header: ReadHeader): boolean {
  if (header("x-appwrite-jwt") || header("x-appwrite-key")) return true;
  return hasSessionCookie(site, header) || presentedSession(site, project, header) !== undefined;
}

export function cookieName(project: string): string {
  return `a_session_${project}`;
}

/** Opaque to clients. Signed, so that reading the database isn't enough to sign in. */
export function sessionValue({ secret }: Pick<Site, "secret">, userId: string, token: string): string {
  return Buffer.from(JSON.stringify({ id: userId, secret: `${token}.${signToken(secret, token)}` })).toString("base64url");
}

function signToken(secret: string, token: string): string {
  return createHmac("sha256", secret).update(`api-session:${token}`).digest("base64url");
}

const maxValueLength = 1_000;

/** The reverse of `sessionValue`. The session may have ended. */
export function readSessionValue({ secret }: Pick<Site, "secret">, value: unknown): Session | undefined {
  if (typeof value !== "string" || value.length > maxValueLength) return undefined;
  const content = parseJson(Buffer.from(value, "base64").toString()) as { id?: unknown; secret?: unknown } | null | undefined;
  if (typeof content?.id !== "string" || typeof content.secret !== "string") return undefined;
  const dot = content.secret.lastIndexOf(".");
  const token = content.secret.slice(0, Math.max(0, dot));
  const [given, expected] = [Buffer.from(content.secret.slice(dot + 1)), Buffer.from(signToken(secret, token))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? { userId: content.id, token } : undefined;
}

const maxAgeSeconds = maxSessionMs / seconds(1);

/** Cookies that keep a session, or remove it if `value` is empty. The first one also works on other sites' pages. */
export function sessionCookies(site: Pick<Site, "url">, project: string, value: string): string[] {
  const secure = site.url.startsWith("https:");
  const common = { path: "/v1", httpOnly: true, secure, maxAge: value ? maxAgeSeconds : 0 } as const;
  const crossSite = secure ? ({ sameSite: "None" } as const) : ({ sameSite: "Lax" } as const);
  return [
    serialize(cookieName(project), value, { ...common, ...crossSite }),
    serialize(`${cookieName(project)}_legacy`, value, { ...common, sameSite: "Lax" }),
  ];
}

type JwtClaims = { userId: string; sessionId: string; epoch: number };

/** The epoch is that of the session's account. */
export function makeJwt(site: Pick<Site, "secret" | "now">, claims: JwtClaims, seconds: number): Promise<string> {
  const now = Math.floor(site.now() / 1000);
  return sign({ ...claims, iat: now, exp: now + seconds }, jwtKey(site), "HS256");
}

async function readJwt(site: Pick<Site, "secret">, token: string): Promise<JwtClaims | undefined> {
  if (token.length > 2000) return undefined;
  try {
    const { userId, sessionId, epoch } = await verify(token, jwtKey(site), "HS256");
    const isOurs = typeof userId === "string" && typeof sessionId === "string" && typeof epoch === "number";
    return isOurs ? { userId, sessionId, epoch } : undefined;
  } catch {
    return undefined;
  }
}

/** A separate key for each purpose. */
function jwtKey({ secret }: Pick<Site, "secret">): string {
  return createHmac("sha256", secret).update("api-jwt").digest("hex");
}
