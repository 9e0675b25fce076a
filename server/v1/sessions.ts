import { createHmac, timingSafeEqual } from "node:crypto";
import { serialize } from "hono/utils/cookie";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import { seconds } from "#platform/time.ts";
import { maxSessionMs, sessionToken } from "#server/session/session.ts";

export type SessionTransport = "cookie" | "header";
export type SessionToken = { userId: string; token: string; way: SessionTransport };

export function cookieName(project: string): string {
  return `a_session_${project}`;
}

/** What clients keep and send: opaque to them, signed, so that who reads the database can't sign in with what is there. */
export function sessionValue({ secret }: Pick<Site, "secret">, userId: string, token: string): string {
  return Buffer.from(JSON.stringify({ id: userId, secret: `${token}.${sign(secret, token)}` })).toString("base64url");
}

function sign(secret: string, token: string): string {
  return createHmac("sha256", secret).update(`api-session:${token}`).digest("base64url");
}

type Session = { userId: string; token: string };

const cookieMaxLength = 1_000;

/** The session that a value stands for, or undefined for anything that we didn't make. Whether it has ended is not asked. */
export function readSessionValue({ secret }: Pick<Site, "secret">, value: unknown): Session | undefined {
  if (typeof value !== "string" || value.length > cookieMaxLength) return undefined;
  const content = parseJson(Buffer.from(value, "base64").toString()) as { id?: unknown; secret?: unknown } | null;
  if (typeof content?.id !== "string" || typeof content.secret !== "string") return undefined;
  const dot = content.secret.lastIndexOf(".");
  const token = content.secret.slice(0, Math.max(0, dot));
  const [given, expected] = [Buffer.from(content.secret.slice(dot + 1)), Buffer.from(sign(secret, token))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? { userId: content.id, token } : undefined;
}

export function presentedSession(
  site: Pick<Site, "secret">,
  project: string,
  header: (name: string) => string | undefined,
): SessionToken | undefined {
  const name = cookieName(project);
  const cookies = header("cookie")?.split(/;\s*/) ?? [];
  const cookie = (of: string) => cookies.find((each) => each.startsWith(`${of}=`))?.slice(of.length + 1);
  const fallback = header("x-fallback-cookies");
  const kept = fallback ? (parseJson(fallback) as Record<string, unknown> | null) : null;
  const ways: [SessionTransport, unknown][] = [
    ["cookie", cookie(name)],
    ["cookie", cookie(`${name}_legacy`)],
    ["header", header("x-appwrite-session")],
    ["header", kept && Object.hasOwn(kept, name) ? kept[name] : undefined],
  ];
  for (const [way, value] of ways) {
    const session = readSessionValue(site, value);
    if (session) return { ...session, way };
  }
  return undefined;
}

export function hasSessionCookie(site: Pick<Site, "secret" | "url">, header: (name: string) => string | undefined): boolean {
  return sessionToken(header("cookie") ?? null, sessionCookieName(site.url), site.secret) !== undefined;
}

export function bringsSession(
  site: Pick<Site, "secret" | "url">,
  { project }: ApiConfig,
  header: (name: string) => string | undefined,
): boolean {
  if (header("x-appwrite-jwt") || header("x-appwrite-key")) return true;
  return hasSessionCookie(site, header) || presentedSession(site, project, header) !== undefined;
}

const maxAgeSeconds = maxSessionMs / seconds(1);

/**
 * The cookies that keep a session, or end it where `value` is empty. It lasts as long as a session that is used can. One of
 * them also travels from other sites' pages, where browsers allow it at all; nothing but `/v1` ever sees them.
 */
export function sessionCookies(site: Pick<Site, "url">, project: string, value: string): string[] {
  const secure = site.url.startsWith("https:");
  const common = { path: "/v1", httpOnly: true, secure, maxAge: value ? maxAgeSeconds : 0 } as const;
  const elsewhere = secure ? ({ sameSite: "None" } as const) : ({ sameSite: "Lax" } as const);
  return [
    serialize(cookieName(project), value, { ...common, ...elsewhere }),
    serialize(`${cookieName(project)}_legacy`, value, { ...common, sameSite: "Lax" }),
  ];
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
