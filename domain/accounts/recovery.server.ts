import { recoveredEmail } from "#domain/accounts/security/security-emails.ts";
import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import { lockAccount, resetSecurity } from "#domain/accounts/security/security-state.server.ts";
import {
  listSignInMethods,
  removeSignInMethods,
  reviewToken,
  type SignInMethods,
} from "#domain/accounts/security/sign-in-methods.server.ts";
import { authHeaders, type ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { hashPassword } from "#domain/accounts/sign-in/password-hashes.server.ts";
import { requireGoodPassword } from "#domain/accounts/sign-in/password-rules.server.ts";
import { removeKnownDevices } from "#domain/accounts/sign-in/record-sign-in.server.ts";
import { forgetGuesses } from "#domain/accounts/sign-in/sign-in-limits.server.ts";
import { enforceRateLimit, isWithinLimit, networkOf } from "#domain/limits/rate-limits.server.ts";
import { forgetRefusedEmail } from "#domain/mail/refused-emails.server.ts";
import { sendEmail } from "#domain/mail/send-email.server.ts";
import { Invalid } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { accountTexts } from "./account.ts";
import { revokeEmailChanges } from "./email-change.server.ts";

const requestsPerNetwork = { max: 60, minutes: 60 };
const emailsPerRecipientAndNetwork = { max: 5, minutes: 60 };
const emailsPerRecipient = { max: 20, minutes: 60 };

/** Neither the answer nor its timing reveals whether the account exists: the email is sent in the background. @throws TooMany. */
export async function requestRecovery(site: Site, client: ClientInfo, email: string): Promise<void> {
  if (!(await isRecoveryEmailAllowed(site, client, email))) return;
  void site.auth.api
    .requestPasswordReset({ body: { email }, headers: authHeaders(client) })
    .catch((err) => site.log.error({ err }, "recovery email not sent"));
}

/**
 * Limits emails per network and address, then per address, so that one network can't block the owner's emails. @throws TooMany for a
 * network that requests many addresses.
 */
export async function isRecoveryEmailAllowed(site: Site, client: ClientInfo, email: string): Promise<boolean> {
  const from = { kind: "recovery", network: networkOf(client.ip) };
  await enforceRateLimit(site, from, requestsPerNetwork);
  if (!(await isWithinLimit(site, { ...from, subject: email }, emailsPerRecipientAndNetwork))) return false;
  return isWithinLimit(site, { kind: "recovery", subject: email }, emailsPerRecipient);
}

export async function isRecoveryTokenValid(site: Site, token: string): Promise<boolean> {
  return (await findLink(site, token)) !== null;
}

type Link = { id: string; userId: string; name: string; email: string };

async function findLink(site: Site, token: string): Promise<Link | null> {
  const { internalAdapter } = await site.auth.$context;
  const stored = token ? await internalAdapter.findVerificationValue(`reset-password:${token}`) : null;
  if (!stored || new Date(stored.expiresAt).getTime() <= site.now()) return null;
  const owner = await site.db.selectFrom("users").select(["name", "email"]).where("id", "=", stored.value).executeTakeFirst();
  return owner ? { id: stored.id, userId: stored.value, ...owner } : null;
}

/** `review`: token for reviewing the other sign-in methods; null if there are none. */
export type RecoveryResult = { userId: string; review: string | null };

/**
 * Sets a new password with a single-use link and revokes all sessions, links and trusted browsers. If the address was unconfirmed, also
 * removes passkeys and authenticators, which a stranger may have added. Doesn't sign in. @throws Invalid for `password`, or without a field
 * for a used or expired link.
 */
export async function resetPassword(site: Site, client: ClientInfo, token: string, password: string): Promise<RecoveryResult> {
  const link = await findLink(site, token);
  if (!link) throw new Invalid(accountTexts.linkUsedUp);
  requireGoodPassword(site, link, password);
  const hash = await hashPassword(password, networkOf(client.ip));
  const { account, epoch, signInMethods } = await transaction(site, async (tx) => {
    const recovered = await recover(tx, { link, hash, origin: client });
    const { account, signInMethods } = recovered;
    await sendEmail(tx, { kind: "security", userId: account.id, ...recoveredEmail(site, account, signInMethods) });
    return recovered;
  });
  await forgetGuesses(site, account.email);
  const undecided = signInMethods.passkeys.length > 0 || signInMethods.authenticator !== null;
  return { userId: account.id, review: undecided ? await reviewToken(site, { userId: account.id, epoch }) : null };
}

type Recovery = { link: Link; hash: string; origin: ClientInfo };
type Account = NonNullable<Awaited<ReturnType<typeof lockAccount>>>;

async function recover(
  tx: SiteTransaction,
  { link, hash, origin: client }: Recovery,
): Promise<{ account: Account; epoch: number; signInMethods: SignInMethods }> {
  const account = await lockAccount(tx, link.userId);
  const used = await tx.db.deleteFrom("verifications").where("id", "=", link.id).returning("id").executeTakeFirst();
  if (!account || !used) throw new Invalid(accountTexts.linkUsedUp);
  await tx.db
    .updateTable("accounts")
    .set({ password: hash, updatedAt: new Date(tx.now()).toISOString() })
    .where("userId", "=", account.id)
    .where("providerId", "=", "credential")
    .execute();
  const epoch = await resetSecurity(tx, account.id);
  if (!account.emailVerified) await confirmAndDropSignInMethods(tx, account.id);
  await forgetRefusedEmail(tx.db, account.email);
  await removeKnownDevices(tx, account.id);
  await recordSecurityEvent(tx, { userId: account.id, kind: "recovered", origin: client });
  tx.changed("account.changed", { userId: account.id, part: "password" });
  return { account, epoch, signInMethods: await listSignInMethods(tx, account.id) };
}

async function confirmAndDropSignInMethods(tx: SiteTransaction, userId: string): Promise<void> {
  await tx.db.updateTable("users").set({ emailVerified: true }).where("id", "=", userId).execute();
  await removeSignInMethods(tx, userId, "all");
  await revokeEmailChanges(tx, userId);
}
