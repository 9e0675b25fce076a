import { runWithTransaction } from "@better-auth/core/context";
import { APIError } from "better-auth/api";
import { Invalid } from "../refusals.ts";
import type { Site } from "../site.ts";
import { accountTexts } from "./account.ts";
import { limitAttempts, networkOf } from "./attempts.server.ts";
import { authHeaders, type Origin, withHashOf } from "./auth.server.ts";

const lettersPerAddress = { max: 5, minutes: 60 };
const requestsPerNetwork = { max: 60, minutes: 60 };

/**
 * Mails a link for a new password, if there is an account with this address. The answer neither says nor, by the time
 * it takes, shows whether there is one: the work goes on after it.
 * @throws TooMany.
 */
export async function requestRecovery(site: Site, origin: Origin, email: string): Promise<void> {
  await limitAttempts(site, `recovery:${email}`, lettersPerAddress);
  await limitAttempts(site, `recovery-from:${networkOf(origin.address)}`, requestsPerNetwork);
  void site.auth.api
    .requestPasswordReset({ body: { email }, headers: authHeaders(origin) })
    .catch((err) => site.log.error({ err }, "recovery mail not sent"));
}

/** Whether the link in a recovery mail can still be used. */
export async function isRecoverable(site: Site, token: string): Promise<boolean> {
  const { internalAdapter } = await site.auth.$context;
  const kept = token ? await internalAdapter.findVerificationValue(`reset-password:${token}`) : null;
  return kept !== null && new Date(kept.expiresAt).getTime() > site.now();
}

/**
 * Sets a new password through the link in the mail, which works once, and ends every session of the person.
 * @throws Invalid when the link has been used or is too old.
 */
export async function resetPassword(site: Site, token: string, password: string): Promise<void> {
  if (!(await isRecoverable(site, token))) throw new Invalid(accountTexts.linkUsedUp);
  const { adapter } = await site.auth.$context;
  // The library would do its three steps one by one; a process that is killed in between must not leave old sessions open.
  const reset = () => runWithTransaction(adapter, () => site.auth.api.resetPassword({ body: { token, newPassword: password } }));
  await withHashOf(password, reset).catch((error) => {
    throw error instanceof APIError && error.statusCode < 500 ? new Invalid(accountTexts.linkUsedUp) : error;
  });
}
