import { normalizeEmail } from "#domain/accounts/account.ts";
import { removeKnownDevices } from "#domain/accounts/sign-in/record-sign-in.server.ts";
import { recordAudit } from "#domain/audit/audit.server.ts";
import { Invalid, NotFound } from "#domain/refusals.ts";
import { type Site, type SiteTransaction, transaction } from "#domain/site.ts";
import { emailOwner } from "./account-emails.ts";
import { recordSecurityEvent } from "./security-log.server.ts";
import { lockAccount, resetSecurity } from "./security-state.server.ts";
import { removeSignInMethods } from "./sign-in-methods.server.ts";

/**
 * For the console only: removes a lost authenticator and its backup codes, and revokes all sessions, links and trusted browsers. Passkeys
 * stay: they lock nobody out. @throws NotFound; Invalid if there is no authenticator.
 */
export async function removeSecondStepManually(site: Site, given: string): Promise<{ name: string; email: string }> {
  const email = normalizeEmail(given);
  const account = await transaction(site, async (tx) => {
    const account = await findByEmail(tx, email);
    await removeSignInMethods(tx, account.id, { passkeys: [], authenticator: true });
    await resetSecurity(tx, account.id);
    await removeKnownDevices(tx, account.id);
    await recordSecurityEvent(tx, { userId: account.id, kind: "second-step-removed", origin: null });
    await recordAudit(tx, null, { action: "second-step.removed", subject: `user:${account.id}`, after: { email } });
    return account;
  });
  await emailOwner(site, account, "second-step-removed");
  return account;
}

async function findByEmail(tx: SiteTransaction, email: string) {
  const found = await tx.db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  const account = found && (await lockAccount(tx, found.id));
  if (!account) throw new NotFound(`There’s no account with the email ${email}.`);
  if (!account.twoFactorEnabled) throw new Invalid(`${account.name} (${email}) has no authenticator app.`);
  return account;
}
