import { createHmac, timingSafeEqual } from "node:crypto";
import { sessionCookieName } from "#domain/accounts/auth.server.ts";
import type { Site, Viewer } from "#domain/site.ts";

const day = 24 * 60 * 60 * 1000;

/**
 * Who sent this request. One query of our own instead of the accounts library's two: it runs on every page.
 * `renewed` holds the cookies to send on when the session was old enough to be prolonged.
 */
export async function identify(site: Site, cookie: string | null): Promise<{ viewer: Viewer; renewed: string[] }> {
  const { viewer, old } = await find(site, cookie);
  return { viewer, renewed: old ? await renew(site, cookie) : [] };
}

/** Who holds this cookie, for doors that can't send one: the session is not prolonged. */
export async function whoIs(site: Site, cookie: string | null): Promise<Viewer> {
  return (await find(site, cookie)).viewer;
}

async function find(site: Site, cookie: string | null): Promise<{ viewer: Viewer; old: boolean }> {
  const token = sessionToken(cookie, sessionCookieName(site.url), site.secret);
  const row = token ? await findSession(site, token) : undefined;
  if (!row || new Date(row.expiresAt).getTime() <= site.now()) return { viewer: null, old: false };
  const viewer = {
    id: row.id,
    name: row.name,
    email: row.email,
    sessionId: row.sessionId,
    confirmed: row.emailVerified || !site.mail.delivers || !site.settings.requireEmailVerification,
    admin: row.emailVerified && (row.administrator !== null || site.adminEmails.includes(row.email)),
    profileImage: row.profileImage,
  };
  return { viewer, old: new Date(row.updatedAt).getTime() < site.now() - day };
}

function findSession(site: Site, token: string) {
  return site.db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.userId")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .select([
      "s.id as sessionId",
      "s.expiresAt",
      "s.updatedAt",
      "u.id",
      "u.email",
      "u.emailVerified",
      "p.profileImage",
      "a.userId as administrator",
    ])
    .select((eb) => eb.fn.coalesce("p.userName", "u.name").as("name"))
    .where("s.token", "=", token)
    .executeTakeFirst();
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
