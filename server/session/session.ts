import { createHmac, timingSafeEqual } from "node:crypto";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import { truncateNetwork } from "#domain/limits/attempts.server.ts";
import { verifiedForMs } from "#domain/permissions.ts";
import type { Member, Site, Viewer } from "#domain/site.ts";
import { staffOf } from "#domain/staff/staff.server.ts";
import { days } from "#platform/time.ts";
import { type PersonRow, readSession, type SessionKey } from "./read-session.ts";

export const maxSessionMs = days(180);

/**
 * Who sent this request. A query of our own at most instead of the accounts library's two: it is asked with every page.
 * `renewed` holds the cookies to send on when the session was old enough to be prolonged.
 */
export async function findAndRenewSession(site: Site, cookie: string | null): Promise<{ viewer: Viewer; renewed: string[] }> {
  const { viewer, old } = await findByCookie(site, cookie);
  return { viewer, renewed: old ? await renewIfPossible(site, cookie) : [] };
}

export function withNetwork(address: string, viewer: Viewer): Viewer {
  return viewer && { ...viewer, network: truncateNetwork(address) };
}

export async function findViewer(site: Site, cookie: string | null): Promise<Viewer> {
  return (await findByCookie(site, cookie)).viewer;
}

async function findByCookie(site: Site, cookie: string | null): Promise<{ viewer: Viewer; old: boolean }> {
  const token = sessionToken(cookie, sessionCookieName(site.url), site.secret);
  return token ? findSession(site, { token }) : { viewer: null, old: false };
}

export async function findSession(site: Site, by: SessionKey): Promise<{ viewer: Viewer; old: boolean; version?: string }> {
  const row = await readSession(site, by);
  if (!row || hasEnded(row, site.now())) return { viewer: null, old: false };
  const viewer = await viewerOf(site, row, row.sessionId);
  return { viewer, old: new Date(row.updatedAt).getTime() < site.now() - days(1), version: row.version };
}

/** Someone as verbs see them; `sessionId` is null where it is a key that they came with. */
export async function viewerOf(site: Site, row: PersonRow, sessionId: string | null): Promise<Member> {
  const { staff, awaitsSecondStep } = await staffOf(site, {
    ...row,
    hasSecondStep: Boolean(row.twoFactorEnabled) || Boolean(row.hasPasskey),
  });
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    sessionId,
    confirmed: row.emailVerified || !site.mail.delivers || !site.settings.requireEmailVerification,
    staff,
    awaitsSecondStep,
    hasPasskey: Boolean(row.hasPasskey),
    verified: row.provedAt !== null && row.provedAt > site.now() - verifiedForMs,
    suspendedUntil: !staff && !awaitsSecondStep && row.until !== null && row.until > site.now() ? row.until : null,
    profileImage: row.profileImage,
  };
}

type Dates = Pick<NonNullable<Awaited<ReturnType<typeof readSession>>>, "createdAt" | "expiresAt">;

/** However often it was prolonged, a session ends 180 days after it was opened. */
function hasEnded({ createdAt, expiresAt }: Dates, now: number): boolean {
  return new Date(expiresAt).getTime() <= now || new Date(createdAt).getTime() + maxSessionMs <= now;
}

async function renewIfPossible(site: Site, cookie: string | null): Promise<string[]> {
  return renew(site, cookie).catch((err) => {
    site.log.warn({ err }, "a session was not extended");
    return [];
  });
}

async function renew(site: Site, cookie: string | null): Promise<string[]> {
  const { headers: answer } = await site.auth.api.getSession({ headers: new Headers({ cookie: cookie ?? "" }), returnHeaders: true });
  return answer.getSetCookie();
}

/** The token inside the accounts library's signed cookie, or undefined when there is none or the signature is wrong. */
export function sessionToken(header: string | null, name: string, secret: string): string | undefined {
  const cookie = header?.split(/;\s*/).find((each) => each.startsWith(`${name}=`));
  if (!cookie) return undefined;
  let value: string;
  try {
    value = decodeURIComponent(cookie.slice(name.length + 1));
  } catch {
    return undefined;
  }
  const dot = value.lastIndexOf(".");
  if (dot < 1) return undefined;
  const token = value.slice(0, dot);
  const expected = createHmac("sha256", secret).update(token).digest();
  const given = Buffer.from(value.slice(dot + 1), "base64");
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}
