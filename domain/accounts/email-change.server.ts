import { signJWT, verifyJWT } from "better-auth/crypto";
import { notMeLink } from "#domain/accounts/security/not-me-links.server.ts";
import { emailChangeConfirmationEmail, emailChangedEmail, emailChangeRequestedEmail } from "#domain/accounts/security/security-emails.ts";
import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import { lockAccount, revokeVerifications } from "#domain/accounts/security/security-state.server.ts";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { requirePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { enforceRateLimit } from "#domain/limits/rate-limits.server.ts";
import { forgetRefusedEmail } from "#domain/mail/refused-emails.server.ts";
import { sendEmail } from "#domain/mail/send-email.server.ts";
import { moveSubscription } from "#domain/mail/subscriber-address.server.ts";
import { isDuplicate } from "#platform/database/errors.ts";
import type { Database } from "#platform/database/open.ts";
import type { EmailChangeRow } from "#platform/database/rows/account-security-rows.ts";
import { newId } from "#platform/ids.ts";
import { hours } from "#platform/time.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, Invalid, NotAllowed } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";

const requestsPerPerson = { max: 5, minutes: 60 };
const emailsPerRecipient = { max: 5, minutes: 24 * 60 };
const linkTtlMs = hours(24);
/** How long the old address can undo a change; until then it stays reserved. */
export const undoPeriodMs = hours(72);
const purpose = "change of address";

/**
 * Emails a confirmation link to the new address, and to the old one, if confirmed, a notice with a link that cancels the change. Replaces
 * an earlier request. @throws Invalid for `password`, Conflict for a taken address, TooMany.
 */
export async function requestEmailChange(
  site: Site,
  viewer: Viewer,
  client: ClientInfo,
  { email, password }: { email: string; password: string },
): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  await requirePassword(site, viewer, password);
  if (email === viewer.email) throw new Conflict("This is already your email", "email");
  // First, because the next answer reveals whether the address has an account.
  await enforceRateLimit(site, { kind: "email-change", subject: viewer.id }, requestsPerPerson);
  await enforceRateLimit(site, { kind: "email-change-to", subject: email }, emailsPerRecipient);
  await requireFreeEmail(site.db, site.now(), email, viewer.id);
  await transaction(site, async (tx) => {
    const { id, fromEmail, isFromConfirmed } = await saveRequest(tx, viewer.id, email, client);
    const token = await signJWT({ purpose, id, userId: viewer.id }, site.secret, linkTtlMs / 1000);
    await sendEmail(tx, { kind: "email-change", userId: viewer.id, ...emailChangeConfirmationEmail(site, email, token) });
    // An unconfirmed address may belong to someone else.
    if (!isFromConfirmed) return;
    const cancelUrl = await notMeLink(site, { kind: "email-change", id, userId: viewer.id, to: fromEmail });
    const notice = emailChangeRequestedEmail(site, fromEmail, { to: email, cancelUrl });
    await sendEmail(tx, { kind: "security", userId: viewer.id, ...notice });
  });
}

async function saveRequest(tx: SiteTransaction, userId: string, toEmail: string, client: ClientInfo) {
  const account = await lockAccount(tx, userId);
  if (!account) throw new Invalid(accountTexts.linkUsedUp);
  const own = tx.db.updateTable("email_changes").set({ state: "replaced" }).where("userId", "=", userId);
  await own.where("state", "=", "pending").execute();
  await tx.db
    .deleteFrom("email_changes")
    .where("requestedAt", "<", tx.now() - linkTtlMs - undoPeriodMs)
    .execute();
  const row: EmailChangeRow = {
    id: newId(tx.now()),
    userId,
    fromEmail: account.email,
    toEmail,
    epoch: account.securityEpoch,
    state: "pending",
    requestedAt: tx.now(),
    madeAt: null,
  };
  await tx.db.insertInto("email_changes").values(row).execute();
  await recordSecurityEvent(tx, { userId, kind: "email-change-requested", origin: client });
  return { ...row, isFromConfirmed: account.emailVerified };
}

/** An address is taken if an account has it, or had it until a change that can still be undone. @throws Conflict for `email`. */
export async function requireFreeEmail(db: Database, now: number, email: string, exceptUserId: string | null): Promise<void> {
  const taken = await db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  const reserved = await db
    .selectFrom("email_changes")
    .select("userId")
    .where("fromEmail", "=", email)
    .where("state", "=", "made")
    .where("madeAt", ">", now - undoPeriodMs)
    .where("userId", "<>", exceptUserId ?? "")
    .executeTakeFirst();
  if (taken || reserved) throw new Conflict(accountTexts.emailTaken, "email");
}

export type EmailChange = { id: string; userId: string; from: string; to: string; done: boolean };

/** Read-only. @returns null for an invalid, expired or superseded link. */
export async function readEmailChange(site: Site, token: string): Promise<EmailChange | null> {
  const payload = await verifyJWT(token, site.secret);
  if (payload?.purpose !== purpose || typeof payload.id !== "string") return null;
  const row = await site.db
    .selectFrom("email_changes as c")
    .innerJoin("users as u", "u.id", "c.userId")
    .select(["c.id", "c.userId", "c.fromEmail", "c.toEmail", "c.state", "c.epoch", "u.email", "u.securityEpoch"])
    .where("c.id", "=", payload.id)
    .executeTakeFirst();
  if (!row) return null;
  const isPending = row.state === "pending" && row.epoch === row.securityEpoch && row.email === row.fromEmail;
  const isDone = (row.state === "made" || row.state === "final") && row.email === row.toEmail;
  return isPending || isDone ? { id: row.id, userId: row.userId, from: row.fromEmail, to: row.toEmail, done: isDone } : null;
}

/**
 * Idempotent. Revokes recovery links and emails the old address, if confirmed, which can undo the change for 72 hours. @throws NotAllowed
 * for another account's link, Invalid, Conflict if the address was taken meanwhile.
 */
export async function confirmEmailChange(site: Site, viewer: Viewer, client: ClientInfo, token: string): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  const change = await readEmailChange(site, token);
  if (!change) throw new Invalid(accountTexts.linkUsedUp);
  if (change.userId !== viewer.id) throw new NotAllowed(accountTexts.linkOfAnother);
  if (change.done) return;
  try {
    await transaction(site, async (tx) => {
      const { canBeUndone } = await applyEmailChange(site, tx, change, client);
      if (!canBeUndone) return;
      const undo = await notMeLink(site, { kind: "email-change", id: change.id, userId: viewer.id, to: change.from });
      const notice = emailChangedEmail(site, change.from, { to: change.to, undo });
      await sendEmail(tx, { kind: "security", userId: viewer.id, ...notice });
    });
  } catch (error) {
    throw isDuplicate(error) ? new Conflict(accountTexts.emailTaken) : error;
  }
}

async function applyEmailChange(
  site: Site,
  tx: SiteTransaction,
  { id, userId, from, to }: EmailChange,
  client: ClientInfo,
): Promise<{ canBeUndone: boolean }> {
  const account = await lockAccount(tx, userId);
  const canBeUndone = account?.emailVerified ?? false;
  const { numUpdatedRows } = await tx.db
    .updateTable("email_changes")
    .set({ state: canBeUndone ? "made" : "final", madeAt: tx.now() })
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where("epoch", "=", account?.securityEpoch ?? -1)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Invalid(accountTexts.linkUsedUp);
  await requireFreeEmail(tx.db, tx.now(), to, userId);
  const updatedAt = new Date(tx.now()).toISOString();
  await tx.db.updateTable("users").set({ email: to, emailVerified: true, updatedAt }).where("id", "=", userId).execute();
  await forgetRefusedEmail(tx.db, to);
  // An unconfirmed address may be someone else's subscription.
  if (canBeUndone) await moveSubscription(tx, site, from, to);
  await revokeVerifications(tx, userId);
  await recordSecurityEvent(tx, { userId, kind: "email-changed", origin: client });
  tx.changed("account.changed", { userId, part: "email" });
  return { canBeUndone };
}

/** Voids pending and undoable changes requested at `since` or later. */
export async function revokeEmailChanges(tx: SiteTransaction, userId: string, since = 0): Promise<void> {
  const own = tx.db.updateTable("email_changes").set({ state: "void" }).where("userId", "=", userId);
  await own.where("requestedAt", ">=", since).execute();
}
