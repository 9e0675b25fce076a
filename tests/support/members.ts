import { createHmac, randomBytes } from "node:crypto";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import { type Member, memberWithoutSession, type Site } from "#domain/site.ts";
import { newId } from "#platform/ids.ts";

const month = 30 * 24 * 60 * 60 * 1000;

/** A new member without a password, confirmed by default. */
export async function addMember({ site }: { site: Site }, name: string, chosen: Partial<Member> = {}): Promise<Member> {
  const now = site.now();
  const id = chosen.id ?? newId(now);
  const email = chosen.email ?? `${name.toLowerCase().replaceAll(/\W+/g, ".")}@example.com`;
  const member = memberWithoutSession({ id, name, email, isReauthenticated: true, ...chosen });
  const date = new Date(now).toISOString();
  const user = { id, name, email, emailVerified: member.isEmailConfirmed, image: null, createdAt: date, updatedAt: date };
  await site.db.insertInto("users").values(user).execute();
  const links = { bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
  const profile = { userId: id, userName: name, ...links, profileImage: null, createdAt: now, updatedAt: now };
  await site.db.insertInto("profiles").values(profile).execute();
  if (member.staff) await site.db.insertInto("administrators").values({ userId: id, createdAt: now, role: member.staff }).execute();
  return member;
}

/** Opens a session. @returns its cookie and the member in it. `reauthenticated`: the password was just confirmed, as staff pages require. */
export async function signIn(
  { site }: { site: Site },
  person: Member,
  { reauthenticated = false } = {},
): Promise<{ cookie: string; member: Member }> {
  const now = site.now();
  const sessionId = newId(now);
  const token = randomBytes(24).toString("base64url");
  const date = new Date(now).toISOString();
  const expiresAt = new Date(now + month).toISOString();
  const origin = { ipAddress: null, userAgent: null };
  const session = { id: sessionId, userId: person.id, token, expiresAt, ...origin, createdAt: date, updatedAt: date };
  await site.db.insertInto("sessions").values(session).execute();
  if (reauthenticated) await site.db.insertInto("session_verifications").values({ sessionId, verifiedAt: now }).execute();
  const signature = createHmac("sha256", site.secret).update(token).digest("base64");
  const cookie = `${sessionCookieName(site.url)}=${encodeURIComponent(`${token}.${signature}`)}`;
  return { cookie, member: { ...person, sessionId, isReauthenticated: reauthenticated } };
}
