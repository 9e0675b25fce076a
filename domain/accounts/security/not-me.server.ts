import { randomBytes } from "node:crypto";
import { accountTexts } from "#domain/accounts/account.ts";
import { revokeEmailChanges, undoPeriodMs } from "#domain/accounts/email-change.server.ts";
import { recoveryEmail } from "#domain/accounts/emails.ts";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { removeKnownDevices } from "#domain/accounts/sign-in/record-sign-in.server.ts";
import { sendEmail, sendEmailNow } from "#domain/mail/send-email.server.ts";
import { moveSubscription } from "#domain/mail/subscriber-address.server.ts";
import { Invalid } from "#domain/refusals.ts";
import { type Site, type SiteTransaction, transaction } from "#domain/site.ts";
import type { EmailChangeRow } from "#platform/database/rows/account-security-rows.ts";
import { hours } from "#platform/time.ts";
import { type NotMeClaim, readNotMeClaim } from "./not-me-links.server.ts";
import { emailRestoredEmail } from "./security-emails.ts";
import { recordSecurityEvent } from "./security-log.server.ts";
import { lockAccount, resetSecurity } from "./security-state.server.ts";
import { removableForMs, removeSignInMethods } from "./sign-in-methods.server.ts";

export type NotMeEvent =
  | { kind: "email-change"; from: string; to: string; made: boolean }
  | { kind: "sign-in"; device: string; network: string; at: number }
  | { kind: "passkey"; name: string }
  | { kind: "authenticator" };

/** Read-only. @returns null for an invalid, expired or used link. */
export async function readNotMe(site: Site, token: string): Promise<NotMeEvent | null> {
  const claim = await readNotMeClaim(site, token);
  const found = claim && (await find(site, claim));
  return found ? found.shown : null;
}

type Reader = Pick<Site, "now"> & { db: Site["db"] };
type NotMeChange = { shown: NotMeEvent; change?: EmailChangeRow };

async function find({ db, now }: Reader, { kind, id, userId }: NotMeClaim): Promise<NotMeChange | null> {
  if (kind === "email-change") {
    const change = await db.selectFrom("email_changes").selectAll().where("id", "=", id).where("userId", "=", userId).executeTakeFirst();
    if (!change || change.state === "void" || change.state === "final" || (change.madeAt ?? change.requestedAt) <= now() - undoPeriodMs)
      return null;
    return { change, shown: { kind, from: change.fromEmail, to: change.toEmail, made: change.state === "made" } };
  }
  if (kind === "sign-in") {
    const device = await db.selectFrom("known_devices").selectAll().where("id", "=", id).where("userId", "=", userId).executeTakeFirst();
    return device ? { shown: { kind, device: device.device, network: device.network, at: device.firstSeenAt } } : null;
  }
  if (kind === "passkey") {
    const row = await db.selectFrom("passkeys").select("name").where("id", "=", id).where("userId", "=", userId).executeTakeFirst();
    return row ? { shown: { kind, name: row.name || "Passkey" } } : null;
  }
  const app = await db.selectFrom("two_factors").select("confirmedAt").where("id", "=", id).where("userId", "=", userId).executeTakeFirst();
  return app && (app.confirmedAt ?? 0) > now() - removableForMs ? { shown: { kind } } : null;
}

export type NotMeResult = { recovery: string } | { mailedTo: string };

/**
 * Handles a "This wasn't me" link: undoes the event, restores the address that the email went to, revokes the password, all sessions and
 * links, and starts password recovery. @throws Invalid.
 */
export async function reportNotMe(site: Site, client: ClientInfo, token: string): Promise<NotMeResult> {
  const claim = await readNotMeClaim(site, token);
  if (!claim) throw new Invalid(accountTexts.linkUsedUp);
  const { account, email } = await transaction(site, async (tx) => {
    const result = await undoEvent(site, tx, claim, client);
    const { account: before } = result;
    if (result.email !== before.email)
      await sendEmail(tx, { kind: "security", userId: before.id, ...emailRestoredEmail(site, before.email) });
    return result;
  });
  const recovery = await makeRecoveryToken(site, account.id);
  if (claim.kind === "email-change") return { recovery };
  const user = { name: account.name, email, emailVerified: account.emailVerified };
  const emailMessage = recoveryEmail({ siteName: site.settings.siteName, url: site.url, user, token: recovery });
  await sendEmailNow(site, { kind: "recovery", userId: account.id, ...emailMessage });
  return { mailedTo: email };
}

async function makeRecoveryToken(site: Site, userId: string): Promise<string> {
  const { internalAdapter } = await site.auth.$context;
  const token = randomBytes(24).toString("base64url");
  const expiresAt = new Date(site.now() + hours(1));
  await internalAdapter.createVerificationValue({ identifier: `reset-password:${token}`, value: userId, expiresAt });
  return token;
}

async function undoEvent(site: Site, tx: SiteTransaction, claim: NotMeClaim, client: ClientInfo) {
  const account = await lockAccount(tx, claim.userId);
  const found = await find(tx, claim);
  if (!account || !found) throw new Invalid(accountTexts.linkUsedUp);
  if (claim.kind === "passkey") await removeSignInMethods(tx, account.id, { passkeys: [claim.id], authenticator: false });
  if (claim.kind === "authenticator") await removeSignInMethods(tx, account.id, { passkeys: [], authenticator: true });
  const change = found.change ?? (account.email === claim.to ? undefined : await changeAwayFrom(tx, claim));
  const email = change ? await restoreEmail(site, tx, account, change) : account.email;
  await removePassword(tx, account.id);
  await resetSecurity(tx, account.id);
  await removeKnownDevices(tx, account.id);
  await recordSecurityEvent(tx, { userId: account.id, kind: "disowned", origin: client });
  if (email !== account.email) {
    await recordSecurityEvent(tx, { userId: account.id, kind: "email-change-undone", origin: client });
    tx.changed("account.changed", { userId: account.id, part: "email" });
  }
  return { account, email };
}

/** The intruder may know it, and could sign in again and void the recovery by choosing another one. */
async function removePassword({ db }: SiteTransaction, userId: string): Promise<void> {
  await db.updateTable("accounts").set({ password: null }).where("userId", "=", userId).where("providerId", "=", "credential").execute();
}

function changeAwayFrom(tx: SiteTransaction, { userId, to }: NotMeClaim): Promise<EmailChangeRow | undefined> {
  return tx.db
    .selectFrom("email_changes")
    .selectAll()
    .where("userId", "=", userId)
    .where("fromEmail", "=", to)
    .where("state", "=", "made")
    .where("madeAt", ">", tx.now() - undoPeriodMs)
    .orderBy("requestedAt")
    .limit(1)
    .executeTakeFirst();
}

async function restoreEmail(
  site: Site,
  tx: SiteTransaction,
  account: { id: string; email: string },
  change: EmailChangeRow,
): Promise<string> {
  await revokeEmailChanges(tx, account.id, change.requestedAt);
  if (account.email === change.fromEmail) return account.email;
  const other = await tx.db.selectFrom("users").select("id").where("email", "=", change.fromEmail).executeTakeFirst();
  // The address was reserved; if another account has it anyway, continue without restoring it.
  if (other) return account.email;
  const updatedAt = new Date(tx.now()).toISOString();
  await tx.db.updateTable("users").set({ email: change.fromEmail, emailVerified: true, updatedAt }).where("id", "=", account.id).execute();
  await moveSubscription(tx, site, account.email, change.fromEmail);
  return change.fromEmail;
}
