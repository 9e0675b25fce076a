import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import { requireConfirmedEmail } from "#domain/accounts/confirmation.server.ts";
import { emailOwner } from "#domain/accounts/security/account-emails.ts";
import { notMeLink } from "#domain/accounts/security/not-me-links.server.ts";
import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import { lockAccount } from "#domain/accounts/security/security-state.server.ts";
import { enforceRateLimit, networkOf } from "#domain/limits/rate-limits.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Invalid, SignInRequired } from "#domain/refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "#domain/site.ts";
import { authHeaders, type ClientInfo } from "./auth.server.ts";
import { passkeyFailed } from "./passkey-failed.ts";
import { requirePassword } from "./passwords.server.ts";
import { recordSignIn } from "./record-sign-in.server.ts";
import { endOldestSessions } from "./sessions.server.ts";

/** WebAuthn options for the browser, and cookies that its answer must carry. */
export type Ceremony = { options: unknown; cookies: string[] };

/** @throws NotAllowed before the address is confirmed, Invalid for `password`, TooMany. */
export async function startPasskey(site: Site, viewer: Viewer, client: ClientInfo, password: string): Promise<Ceremony> {
  requirePermission(viewer, "change an account", viewer?.id);
  await requireConfirmedEmail(site, viewer);
  await requirePassword(site, viewer, password);
  const headers = authHeaders(client, client.cookie);
  const result = await site.auth.api.generatePasskeyRegistrationOptions({ query: {}, headers, returnHeaders: true });
  return { options: result.response, cookies: result.headers.getSetCookie() };
}

/** @throws NotAllowed before the address is confirmed, Invalid for an answer to another challenge. */
export async function addPasskey(site: Site, viewer: Viewer, client: ClientInfo, made: { name: string; response: unknown }): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  await requireConfirmedEmail(site, viewer);
  const body = { response: made.response, name: made.name.trim().slice(0, 100) };
  const request = { body, headers: authHeaders(client, client.cookie) };
  const { id } = await site.auth.api.verifyPasskeyRegistration(request).catch(throwInvalid);
  const email = await transaction(site, (tx) => recordAdded(tx, { id, userId: viewer.id, sessionId: viewer.sessionId, origin: client }));
  if (email === null) throw new SignInRequired();
  const notMe = await notMeLink(site, { kind: "passkey", id, userId: viewer.id, to: email });
  await emailOwner(site, { id: viewer.id, name: viewer.name, email }, "passkey-added", notMe);
}

type NewPasskey = { id: string; userId: string; sessionId: string | null; origin: ClientInfo };

/** @returns the owner's address; null if the session ended meanwhile, and the passkey is removed. */
async function recordAdded(tx: SiteTransaction, { id, userId, sessionId, origin: client }: NewPasskey): Promise<string | null> {
  const account = await lockAccount(tx, userId);
  const session = await tx.db
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId ?? "")
    .executeTakeFirst();
  if (account && session) {
    await recordSecurityEvent(tx, { userId, kind: "passkey-added", origin: client });
    return account.email;
  }
  await tx.db.deleteFrom("passkeys").where("id", "=", id).execute();
  return null;
}

export async function removePasskey(site: Site, viewer: Viewer, client: ClientInfo, id: string): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  const removed = await transaction(site, async (tx) => {
    const own = tx.db.deleteFrom("passkeys").where("userId", "=", viewer.id);
    const { numDeletedRows } = await own.where("id", "=", id).executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await recordSecurityEvent(tx, { userId: viewer.id, kind: "passkey-removed", origin: client });
    return numDeletedRows > 0n;
  });
  if (removed) await emailOwner(site, viewer, "passkey-removed");
}

const askedPerNetwork = { max: 300, minutes: 60 };

export async function startPasskeySignIn(site: Site, client: ClientInfo): Promise<Ceremony> {
  await enforceRateLimit(site, { kind: "passkey", network: networkOf(client.ip) }, askedPerNetwork);
  const result = await site.auth.api.generatePasskeyAuthenticationOptions({ headers: authHeaders(client), returnHeaders: true });
  return { options: result.response, cookies: result.headers.getSetCookie() };
}

/** No second step: the device verified the person. @returns the session's cookies. @throws Invalid. */
export async function signInWithPasskey(site: Site, client: ClientInfo, response: unknown): Promise<string[]> {
  const request = { body: { response: response as AuthenticationResponseJSON }, headers: authHeaders(client, client.cookie) };
  const { headers, response: opened } = await site.auth.api
    .verifyPasskeyAuthentication({ ...request, returnHeaders: true })
    .catch(throwInvalid);
  const { userId, token } = opened.session;
  const device = await recordSignIn(site, client, { userId, token, reauthenticated: true });
  await endOldestSessions(site, userId);
  return [...headers.getSetCookie(), ...device];
}

function throwInvalid(error: unknown): never {
  // The library reports malformed answers as various API errors.
  throw error instanceof Error && error.name === "APIError" ? new Invalid(passkeyFailed) : error;
}
