import { getAuthenticatorName } from "@better-auth/passkey";
import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import { mustBeAllowed } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";
import { limitAttempts, networkOf } from "./attempts.server.ts";
import { authHeaders, type Origin } from "./auth.server.ts";
import { requirePassword } from "./passwords.server.ts";
import { tellOwner } from "./security-letters.ts";

/** A key kept by a device or a password manager. `createdAt` in milliseconds. */
export type Passkey = { id: string; name: string; createdAt: number };

/** What the browser is asked, and the cookies that the answer must come back with. */
export type Ceremony = { options: unknown; cookies: string[] };

/** The viewer's passkeys, the oldest first. @throws SignInFirst. */
export async function listPasskeys(site: Site, viewer: Viewer): Promise<Passkey[]> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  const rows = await site.db
    .selectFrom("passkeys")
    .select(["id", "name", "aaguid", "createdAt"])
    .where("userId", "=", viewer.id)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map(({ id, name, aaguid, createdAt }) => ({
    id,
    name: name || getAuthenticatorName(aaguid) || "Passkey",
    createdAt: createdAt === null ? 0 : new Date(createdAt).getTime(),
  }));
}

/**
 * Begins to add a passkey.
 * @throws Invalid beside `password`, TooMany, or what the permissions refuse.
 */
export async function startPasskey(site: Site, viewer: Viewer, origin: Origin, password: string): Promise<Ceremony> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, password);
  const headers = authHeaders(origin, origin.cookie);
  const answer = await site.auth.api.generatePasskeyRegistrationOptions({ query: {}, headers, returnHeaders: true });
  return { options: answer.response, cookies: answer.headers.getSetCookie() };
}

/** Keeps the passkey that the browser has made. @throws Invalid when it answers another question than the one asked. */
export async function addPasskey(site: Site, viewer: Viewer, origin: Origin, made: { name: string; response: unknown }): Promise<void> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  const body = { response: made.response, name: made.name.trim().slice(0, 100) };
  await site.auth.api.verifyPasskeyRegistration({ body, headers: authHeaders(origin, origin.cookie) }).catch(toInvalid);
  await tellOwner(site, viewer, "passkey added");
}

/** Forgets one of the viewer's passkeys; one that is gone stays so. @throws SignInFirst. */
export async function removePasskey(site: Site, viewer: Viewer, id: string): Promise<void> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  const { numDeletedRows } = await site.db
    .deleteFrom("passkeys")
    .where("userId", "=", viewer.id)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await tellOwner(site, viewer, "passkey removed");
}

const askedPerNetwork = { max: 300, minutes: 60 };

/** Begins to sign somebody in by a passkey, whoever it is. @throws TooMany. */
export async function startPasskeySignIn(site: Site, origin: Origin): Promise<Ceremony> {
  await limitAttempts(site, `passkey:${networkOf(origin.address)}`, askedPerNetwork);
  const answer = await site.auth.api.generatePasskeyAuthenticationOptions({ headers: authHeaders(origin), returnHeaders: true });
  return { options: answer.response, cookies: answer.headers.getSetCookie() };
}

/**
 * Opens a session for the holder of a passkey, who has shown the device who they are: no second step follows.
 * @returns the session's cookies.
 * @throws Invalid.
 */
export async function signInWithPasskey(site: Site, origin: Origin, response: unknown): Promise<string[]> {
  const sent = { body: { response: response as AuthenticationResponseJSON }, headers: authHeaders(origin, origin.cookie) };
  const { headers } = await site.auth.api.verifyPasskeyAuthentication({ ...sent, returnHeaders: true }).catch(toInvalid);
  return headers.getSetCookie();
}

function toInvalid(error: unknown): never {
  // What a browser made up is the sender's fault, whatever the library calls it.
  throw error instanceof Error && error.name === "APIError" ? new Invalid(accountTexts.passkeyFailed) : error;
}
