import { APIError } from "better-auth/api";
import { accountTexts } from "#domain/accounts/account.ts";
import { requireConfirmedEmail } from "#domain/accounts/confirmation.server.ts";
import { emailOwner } from "#domain/accounts/security/account-emails.ts";
import { notMeLink } from "#domain/accounts/security/not-me-links.server.ts";
import type { SecurityEventKind } from "#domain/accounts/security/security-event.ts";
import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import { enforceRateLimit, isWithinLimit, networkOf } from "#domain/limits/rate-limits.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Invalid, TooMany } from "#domain/refusals.ts";
import { type Member, type Site, transaction, type Viewer } from "#domain/site.ts";
import { authHeaders, type ClientInfo } from "./auth.server.ts";
import { requirePassword } from "./passwords.server.ts";
import { recordSignIn } from "./record-sign-in.server.ts";
import { endOldestSessions } from "./sessions.server.ts";

export type NewAuthenticator = { uri: string; backupCodes: string[] };

const triesPerNetwork = { max: 100, minutes: 60 };

/** Takes effect after `confirmAuthenticator`. @throws NotAllowed before the address is confirmed, Invalid for `password`, TooMany. */
export async function startAuthenticator(site: Site, viewer: Viewer, client: ClientInfo, password: string): Promise<NewAuthenticator> {
  requirePermission(viewer, "change an account", viewer?.id);
  await requireConfirmedEmail(site, viewer);
  await requirePassword(site, viewer, password);
  const headers = authHeaders(client, client.cookie);
  const result = await site.auth.api
    .enableTwoFactor({ body: { password, method: "totp", issuer: site.settings.siteName }, headers })
    .catch(throwInvalid);
  if (result.method !== "totp") throw new Invalid("You already have an authenticator app");
  return { uri: result.totpURI, backupCodes: result.backupCodes };
}

/** @returns cookies of the session that replaces this one. @throws Invalid for `code`. */
export async function confirmAuthenticator(site: Site, viewer: Viewer, client: ClientInfo, code: string): Promise<string[]> {
  requirePermission(viewer, "change an account", viewer?.id);
  await requireConfirmedEmail(site, viewer);
  await enforceRateLimit(site, { kind: "authenticator", subject: viewer.id }, { max: 20, minutes: 15 });
  const request = { body: { code: normalizeCode(code) }, headers: authHeaders(client, client.cookie) };
  const { headers } = await site.auth.api.verifyTOTP({ ...request, returnHeaders: true }).catch(throwInvalid);
  await consumeCode(site, viewer.id, normalizeCode(code));
  const app = await transaction(site, async (tx) => {
    const update = tx.db.updateTable("two_factors").set({ confirmedAt: tx.now() }).where("userId", "=", viewer.id);
    await recordSecurityEvent(tx, { userId: viewer.id, kind: "authenticator-added", origin: client });
    return update.returning("id").executeTakeFirst();
  });
  const notMe = app && (await notMeLink(site, { kind: "authenticator", id: app.id, userId: viewer.id, to: viewer.email }));
  await emailOwner(site, viewer, "authenticator-added", notMe);
  return headers.getSetCookie();
}

/** @returns cookies of the session that replaces this one. @throws Invalid for `password`, TooMany. */
export async function stopAuthenticator(site: Site, viewer: Viewer, client: ClientInfo, password: string): Promise<string[]> {
  requirePermission(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, password);
  const request = { body: { password }, headers: authHeaders(client, client.cookie) };
  const { headers } = await site.auth.api.disableTwoFactor({ ...request, returnHeaders: true }).catch(throwInvalid);
  await recordEvent(site, viewer, client, "authenticator-removed");
  await emailOwner(site, viewer, "authenticator-removed");
  return headers.getSetCookie();
}

/** Revokes the old codes. @throws Invalid for `password`, TooMany. */
export async function renewBackupCodes(site: Site, viewer: Viewer, client: ClientInfo, password: string): Promise<string[]> {
  requirePermission(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, password);
  const request = { body: { password }, headers: authHeaders(client, client.cookie) };
  const { backupCodes } = await site.auth.api.generateBackupCodes(request).catch(throwInvalid);
  await recordEvent(site, viewer, client, "backup-codes-renewed");
  await emailOwner(site, viewer, "backup-codes-renewed");
  return backupCodes;
}

function recordEvent(site: Site, { id: userId }: Member, client: ClientInfo, kind: SecurityEventKind): Promise<void> {
  return transaction(site, (tx) => recordSecurityEvent(tx, { userId, kind, origin: client }));
}

/**
 * Accepts an app code or a single-use backup code. `trust` skips the step in this browser for 30 days. @returns the session's cookies.
 * @throws Invalid for `code`, or without a field if the challenge expired; TooMany.
 */
export async function finishSignIn(site: Site, client: ClientInfo, { code, trust }: { code: string; trust: boolean }): Promise<string[]> {
  await enforceRateLimit(site, { kind: "second-step", network: networkOf(client.ip) }, triesPerNetwork);
  const typed = normalizeCode(code);
  const isBackup = !/^\d{6}$/.test(typed);
  const request = { body: { code: isBackup ? code.trim() : typed, trustDevice: trust }, headers: authHeaders(client, client.cookie) };
  const challenged = await findChallengedAccount(site, client.cookie);
  const run = isBackup
    ? site.auth.api.verifyBackupCode({ ...request, returnHeaders: true })
    : site.auth.api.verifyTOTP({ ...request, returnHeaders: true });
  const { headers, response } = await run.catch(async (error) => {
    if (challenged && error instanceof APIError && error.statusCode < 500)
      await transaction(site, (tx) => recordSecurityEvent(tx, { userId: challenged.userId, kind: "second-step-failed", origin: client }));
    return throwInvalid(error);
  });
  if (!isBackup && !(await consumeCode(site, response.user.id, typed))) {
    await site.db.deleteFrom("sessions").where("token", "=", String(response.token)).execute();
    throw new Invalid(accountTexts.codeUsed);
  }
  const signedIn = { userId: response.user.id, token: response.token ?? "", epoch: challenged?.epoch, reauthenticated: true };
  const device = await recordSignIn(site, client, signedIn);
  await endOldestSessions(site, response.user.id);
  return [...headers.getSetCookie(), ...device];
}

/** The account of a pending second step, by the challenge cookie. The challenge's name is the secret. */
async function findChallengedAccount(site: Site, cookies: string | null | undefined): Promise<{ userId: string; epoch: number } | null> {
  const value = /(?:^|;\s*)[\w.-]*\btwo_factor=([^;]+)/.exec(cookies ?? "")?.[1];
  const challenge = value && /^(2fa-\w+)\./.exec(value)?.[1];
  if (!challenge) return null;
  const { internalAdapter } = await site.auth.$context;
  const stored = await internalAdapter.findVerificationValue(challenge);
  if (!stored) return null;
  const user = await site.db.selectFrom("users").select("securityEpoch").where("id", "=", stored.value).executeTakeFirst();
  return user ? { userId: stored.value, epoch: user.securityEpoch } : null;
}

/** Codes are valid for 90 s but work once, in case one was observed. @returns false for a used code. */
function consumeCode(site: Site, userId: string, code: string): Promise<boolean> {
  return isWithinLimit(site, { kind: "authenticator-code", subject: `${userId} ${code}` }, { max: 1, minutes: 3 });
}

function normalizeCode(code: string): string {
  return code.replace(/[\s-]/g, "");
}

const tooLate = ["INVALID_TWO_FACTOR_COOKIE", "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", "SESSION_EXPIRED"];

/** Thrown by the library's cipher for data encrypted under another SECRET, as after a restore. */
const unreadable = "invalid tag";

function throwInvalid(error: unknown): never {
  if (error instanceof Error && error.message === unreadable) throw new Invalid(accountTexts.codeUnreadable, "code");
  if (!(error instanceof APIError) || error.statusCode >= 500) throw error;
  const code = String(error.body?.code);
  if (code === "ACCOUNT_TEMPORARILY_LOCKED") throw new TooMany("Too many wrong codes. Please try again in 15 minutes.");
  if (tooLate.includes(code)) throw new Invalid(accountTexts.codeTooLate);
  if (code === "TOTP_ALREADY_ENABLED") throw new Invalid("You already have an authenticator app");
  throw new Invalid(accountTexts.codeWrong, "code");
}
