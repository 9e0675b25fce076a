import { APIError } from "better-auth/api";
import { mustBeAllowed } from "../permissions.ts";
import { Invalid, TooMany } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";
import { limitAttempts, networkOf } from "./attempts.server.ts";
import { authHeaders, type Origin } from "./auth.server.ts";
import { requirePassword } from "./passwords.server.ts";
import { tellOwner } from "./security-letters.ts";

/** What an authenticator app is told, as an address for its camera, and the codes for the day it is lost. */
export type NewAuthenticator = { address: string; backupCodes: string[] };

const triesPerNetwork = { max: 100, minutes: 60 };

/**
 * Begins to set up an authenticator app; signing in asks for it only after `confirmAuthenticator`.
 * @throws Invalid beside `password`, TooMany, or what the permissions refuse.
 */
export async function startAuthenticator(site: Site, viewer: Viewer, origin: Origin, password: string): Promise<NewAuthenticator> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, password);
  const headers = authHeaders(origin, origin.cookie);
  const answer = await site.auth.api
    .enableTwoFactor({ body: { password, method: "totp", issuer: site.settings.siteName }, headers })
    .catch(toInvalid);
  if (answer.method !== "totp") throw new Invalid("There is an authenticator app already");
  return { address: answer.totpURI, backupCodes: answer.backupCodes };
}

/**
 * Turns the second step on, once the app has shown that it knows the secret.
 * @returns the cookies of the session that takes this one's place.
 * @throws Invalid beside `code`.
 */
export async function confirmAuthenticator(site: Site, viewer: Viewer, origin: Origin, code: string): Promise<string[]> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await limitAttempts(site, `authenticator:${viewer.id}`, { max: 20, minutes: 15 });
  const sent = { body: { code: plain(code) }, headers: authHeaders(origin, origin.cookie) };
  const { headers } = await site.auth.api.verifyTOTP({ ...sent, returnHeaders: true }).catch(toInvalid);
  await tellOwner(site, viewer, "authenticator on");
  return headers.getSetCookie();
}

/**
 * Turns the second step off.
 * @returns the cookies of the session that takes this one's place.
 * @throws Invalid beside `password`, TooMany.
 */
export async function stopAuthenticator(site: Site, viewer: Viewer, origin: Origin, password: string): Promise<string[]> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, password);
  const sent = { body: { password }, headers: authHeaders(origin, origin.cookie) };
  const { headers } = await site.auth.api.disableTwoFactor({ ...sent, returnHeaders: true }).catch(toInvalid);
  await tellOwner(site, viewer, "authenticator off");
  return headers.getSetCookie();
}

/** New backup codes; the old ones are void. @throws Invalid beside `password`, TooMany. */
export async function renewBackupCodes(site: Site, viewer: Viewer, origin: Origin, password: string): Promise<string[]> {
  mustBeAllowed(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, password);
  const sent = { body: { password }, headers: authHeaders(origin, origin.cookie) };
  const { backupCodes } = await site.auth.api.generateBackupCodes(sent).catch(toInvalid);
  await tellOwner(site, viewer, "backup codes renewed");
  return backupCodes;
}

/**
 * The second step of signing in: a code from the app, or one of the backup codes, which works once. `trust` lets this
 * browser come without it for 30 days.
 * @returns the cookies of the new session.
 * @throws Invalid beside `code`, or without a field when it is too late and the password is needed again; TooMany.
 */
export async function finishSignIn(site: Site, origin: Origin, { code, trust }: { code: string; trust: boolean }): Promise<string[]> {
  await limitAttempts(site, `second-step:${networkOf(origin.address)}`, triesPerNetwork);
  const typed = plain(code);
  const isBackup = !/^\d{6}$/.test(typed);
  const sent = { body: { code: isBackup ? code.trim() : typed, trustDevice: trust }, headers: authHeaders(origin, origin.cookie) };
  const run = isBackup
    ? site.auth.api.verifyBackupCode({ ...sent, returnHeaders: true })
    : site.auth.api.verifyTOTP({ ...sent, returnHeaders: true });
  const { headers } = await run.catch(toInvalid);
  return headers.getSetCookie();
}

/** Apps show `123 456`. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, "");
}

const tooLate = ["INVALID_TWO_FACTOR_COOKIE", "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", "SESSION_EXPIRED"];

function toInvalid(error: unknown): never {
  if (!(error instanceof APIError) || error.statusCode >= 500) throw error;
  const code = String(error.body?.code);
  if (code === "ACCOUNT_TEMPORARILY_LOCKED") throw new TooMany("Too many wrong codes. Please try again in 15 minutes.");
  if (tooLate.includes(code)) throw new Invalid(accountTexts.codeTooLate);
  if (code === "TOTP_ALREADY_ENABLED") throw new Invalid("There is an authenticator app already");
  throw new Invalid(accountTexts.codeWrong, "code");
}
