import { createHmac, timingSafeEqual } from "node:crypto";
import { parse } from "hono/utils/cookie";
import { sql } from "kysely";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import { truncateNetwork } from "#domain/limits/rate-limits.server.ts";
import { reauthenticatedForMs } from "#domain/permissions.ts";
import type { Member, Site, StaffRole, Viewer } from "#domain/site.ts";
import { staffOf } from "#domain/staff/staff.server.ts";
import { VersionedCache, versionColumn } from "#platform/database/version.ts";
import { days } from "#platform/time.ts";

/** A session ends 180 days after it was opened, however often it was extended. */
export const maxSessionMs = days(180);
const renewAfterMs = days(1);

export type SessionKey = { token: string } | { id: string };

/** `version`: the database version that the viewer was read at; undefined if the database may be newer. `epoch`: the account's security epoch. */
type FoundSession = { viewer: Viewer; needsRenewal: boolean; version?: string | undefined; epoch?: number };

/** `renewed`: cookies to send on, if the session was extended. */
export async function findAndRenewSession(site: Site, cookie: string | null): Promise<{ viewer: Viewer; renewed: string[] }> {
  const { viewer, needsRenewal } = await findByCookie(site, cookie);
  return { viewer, renewed: needsRenewal ? await renewIfPossible(site, cookie) : [] };
}

export async function findViewer(site: Site, cookie: string | null): Promise<Viewer> {
  return (await findByCookie(site, cookie)).viewer;
}

/** For connections, which ask repeatedly: checks the cookie's signature once. */
export function viewerFinder(site: Site, cookie: string | null, ip: string): () => Promise<Viewer> {
  const token = sessionToken(cookie, sessionCookieName(site.url), site.secret);
  return async () => (token ? withNetwork(ip, (await findSession(site, { token })).viewer) : null);
}

async function findByCookie(site: Site, cookie: string | null): Promise<FoundSession> {
  const token = sessionToken(cookie, sessionCookieName(site.url), site.secret);
  return token ? findSession(site, { token }) : { viewer: null, needsRenewal: false };
}

export async function findSession(site: Site, by: SessionKey): Promise<FoundSession> {
  const row = await readSession(site, by);
  if (!row || hasEnded(row, site.now())) return { viewer: null, needsRenewal: false };
  const viewer = await viewerOf(site, row, row.sessionId);
  const needsRenewal = new Date(row.updatedAt).getTime() < site.now() - renewAfterMs;
  return { viewer, needsRenewal, version: row.version, epoch: row.securityEpoch };
}

/** The owner of an API key, who has no session. */
export async function findApiKeyOwner(site: Site, userId: string): Promise<{ viewer: Member; version: string } | undefined> {
  const { rows } = await sql<PersonRow>`
    select ${personColumns}, null as "verifiedAt", ${versionColumn(site.engine)} as version
    from users u ${personJoins} where u.id = ${userId}`.execute(site.db);
  return rows[0] && { viewer: await viewerOf(site, rows[0], null), version: rows[0].version };
}

export function withNetwork(ip: string, viewer: Viewer): Viewer {
  return viewer && { ...viewer, network: truncateNetwork(ip) };
}

async function viewerOf(site: Site, row: Omit<PersonRow, "version">, sessionId: string | null): Promise<Member> {
  const { staff, awaitsSecondStep } = await staffOf(site, {
    ...row,
    hasSecondStep: Boolean(row.twoFactorEnabled) || Boolean(row.hasPasskey),
  });
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    sessionId,
    isEmailConfirmed: row.emailVerified || !site.mail.delivers || !site.settings.requireEmailVerification,
    staff,
    awaitsSecondStep,
    hasPasskey: Boolean(row.hasPasskey),
    isReauthenticated: row.verifiedAt !== null && row.verifiedAt > site.now() - reauthenticatedForMs,
    suspendedUntil: !staff && !awaitsSecondStep && row.until !== null && row.until > site.now() ? row.until : null,
    profileImage: row.profileImage,
  };
}

type PersonRow = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  securityEpoch: number;
  twoFactorEnabled: boolean;
  hasPasskey: boolean;
  profileImage: string | null;
  role: StaffRole | null;
  until: number | null;
  verifiedAt: number | null;
  version: string;
};
type SessionRow = PersonRow & { sessionId: string; expiresAt: string | Date; createdAt: string | Date; updatedAt: string | Date };

const personColumns = sql`u.id, coalesce(p."userName", u.name) as name, u.email, u."emailVerified", u."securityEpoch", u."twoFactorEnabled",
  exists (select 1 from passkeys where "userId" = u.id) as "hasPasskey", p."profileImage", a.role, x.until`;
const personJoins = sql`left join profiles p on p."userId" = u.id
  left join administrators a on a."userId" = u.id left join suspensions x on x."userId" = u.id`;

const sessionBytes = 1_000;
const sessions = new VersionedCache<SessionRow>("session");

/** Cached until a commit that may change a session, by any process: docs/decisions/0010-session-cache.md. */
async function readSession(
  site: Site,
  by: SessionKey,
): Promise<(Omit<SessionRow, "version"> & { version?: string | undefined }) | undefined> {
  const key = "token" in by ? `token ${by.token}` : `id ${by.id}`;
  const sessionVersion = site.versions.sessions();
  const version = sessionVersion ?? (sessions.has(site, key) ? await site.versions.database() : undefined);
  const cached = version && sessions.get(site, key, version);
  // API responses are cached by this version; the database may be at a newer one.
  if (cached) return sessionVersion ? { ...cached, version: undefined } : cached;
  const row = await selectSession(site, by);
  if (row) sessions.set(site, key, { version: sessionVersion ?? row.version, value: row, bytes: sessionBytes });
  return row;
}

/** Raw SQL: Kysely's builder took several times as long as the query. */
async function selectSession({ db, engine }: Site, by: SessionKey): Promise<SessionRow | undefined> {
  const [column, value] = "token" in by ? [sql.raw("s.token"), by.token] : [sql.raw("s.id"), by.id];
  const { rows } = await sql<SessionRow>`
    select s.id as "sessionId", s."expiresAt", s."createdAt", s."updatedAt", ${personColumns}, o."verifiedAt",
      ${versionColumn(engine)} as version
    from sessions s join users u on u.id = s."userId" ${personJoins} left join session_verifications o on o."sessionId" = s.id
    where ${column} = ${value}`.execute(db);
  return rows[0];
}

function hasEnded({ createdAt, expiresAt }: Pick<SessionRow, "createdAt" | "expiresAt">, now: number): boolean {
  return new Date(expiresAt).getTime() <= now || new Date(createdAt).getTime() + maxSessionMs <= now;
}

const extensionMs = days(30);

/** For sessions of the API, which Better Auth doesn't renew. */
export async function extendSession(site: Site, sessionId: string): Promise<void> {
  const [now, until] = [new Date(site.now()).toISOString(), new Date(site.now() + extensionMs).toISOString()];
  await site.db.updateTable("sessions").set({ updatedAt: now, expiresAt: until }).where("id", "=", sessionId).execute();
}

async function renewIfPossible(site: Site, cookie: string | null): Promise<string[]> {
  return renew(site, cookie).catch((err) => {
    site.log.warn({ err }, "a session was not extended");
    return [];
  });
}

async function renew(site: Site, cookie: string | null): Promise<string[]> {
  const { headers } = await site.auth.api.getSession({ headers: new Headers({ cookie: cookie ?? "" }), returnHeaders: true });
  return headers.getSetCookie();
}

/** The token in Better Auth's signed cookie; undefined without a cookie or with a wrong signature. */
export function sessionToken(header: string | null, name: string, secret: string): string | undefined {
  const value = parse(header ?? "", name)[name] ?? "";
  const dot = value.lastIndexOf(".");
  if (dot < 1) return undefined;
  const token = value.slice(0, dot);
  const expected = createHmac("sha256", secret).update(token).digest();
  const given = Buffer.from(value.slice(dot + 1), "base64");
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}
