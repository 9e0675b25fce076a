import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import { accountTexts } from "#domain/accounts/account.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Invalid } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { authHeaders, type Origin } from "./auth.server.ts";
import { requirePassword } from "./passwords.server.ts";

export type Proof = { password: string } | { passkey: string };

const proofField = "prove-password";

/** Records in the session that the viewer has just verified; valid for `verifiedForMs`. @throws Invalid for `proofField`, TooMany. */
export async function verifyAgain(site: Site, viewer: Viewer, origin: Origin, proof: Proof): Promise<void> {
  requirePermission(viewer, "enter the admin area");
  if ("password" in proof) await requirePassword(site, viewer, proof.password, proofField);
  else await requirePasskey(site, viewer.id, origin, proof.passkey);
  if (!viewer.sessionId) return;
  const provedAt = site.now();
  await site.db
    .insertInto("session_proofs")
    .values({ sessionId: viewer.sessionId, provedAt })
    .onConflict((conflict) => conflict.column("sessionId").doUpdateSet({ provedAt }))
    .execute();
}

async function requirePasskey(site: Site, userId: string, origin: Origin, answer: string): Promise<void> {
  const request = { body: { response: parse(answer) }, headers: authHeaders(origin, origin.cookie) };
  const { session } = await site.auth.api.verifyPasskeyAuthentication(request).catch((error: unknown) => {
    throw error instanceof Error && error.name === "APIError" ? new Invalid(accountTexts.passkeyFailed, proofField) : error;
  });
  await site.db.deleteFrom("sessions").where("id", "=", session.id).execute();
  if (session.userId !== userId) throw new Invalid("This passkey belongs to another account", proofField);
}

function parse(answer: string): AuthenticationResponseJSON {
  try {
    return JSON.parse(answer) as AuthenticationResponseJSON;
  } catch {
    throw new Invalid(accountTexts.passkeyFailed, proofField);
  }
}
