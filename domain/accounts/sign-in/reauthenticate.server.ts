import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import { requirePermission } from "#domain/permissions.ts";
import { Invalid } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { authHeaders, type ClientInfo } from "./auth.server.ts";
import { passkeyFailed } from "./passkey-failed.ts";
import { requirePassword } from "./passwords.server.ts";

export type Credential = { password: string } | { passkey: string };

const passwordField = "reauthenticate-password";

/** Records it in the session, for `reauthenticatedForMs`. @throws Invalid for `passwordField`, TooMany. */
export async function reauthenticate(site: Site, viewer: Viewer, client: ClientInfo, credential: Credential): Promise<void> {
  requirePermission(viewer, "enter the admin area");
  if ("password" in credential) await requirePassword(site, viewer, credential.password, passwordField);
  else await requirePasskey(site, viewer.id, client, credential.passkey);
  if (!viewer.sessionId) return;
  const verifiedAt = site.now();
  await site.db
    .insertInto("session_verifications")
    .values({ sessionId: viewer.sessionId, verifiedAt })
    .onConflict((conflict) => conflict.column("sessionId").doUpdateSet({ verifiedAt }))
    .execute();
}

async function requirePasskey(site: Site, userId: string, client: ClientInfo, response: string): Promise<void> {
  const request = { body: { response: parse(response) }, headers: authHeaders(client, client.cookie) };
  const { session } = await site.auth.api.verifyPasskeyAuthentication(request).catch((error: unknown) => {
    throw error instanceof Error && error.name === "APIError" ? new Invalid(passkeyFailed, passwordField) : error;
  });
  await site.db.deleteFrom("sessions").where("id", "=", session.id).execute();
  if (session.userId !== userId) throw new Invalid("This passkey belongs to another account", passwordField);
}

function parse(response: string): AuthenticationResponseJSON {
  try {
    return JSON.parse(response) as AuthenticationResponseJSON;
  } catch {
    throw new Invalid(passkeyFailed, passwordField);
  }
}
