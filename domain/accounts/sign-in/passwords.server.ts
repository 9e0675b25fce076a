import { accountTexts } from "#domain/accounts/account.ts";
import { emailOwner } from "#domain/accounts/security/account-emails.ts";
import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import { resetSecurity } from "#domain/accounts/security/security-state.server.ts";
import { enforceRateLimit, refundRateLimit } from "#domain/limits/rate-limits.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Invalid } from "#domain/refusals.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "#domain/site.ts";
import type { ClientInfo } from "./auth.server.ts";
import { hashPassword, verifyPassword } from "./password-hashes.server.ts";
import { requireGoodPassword } from "./password-rules.server.ts";
import { renewToken } from "./sessions.server.ts";

const failuresPerPerson = { max: 10, minutes: 15 };

/** Only failures count towards the limit. @returns the hash that it matches. @throws Invalid for `field`, TooMany. */
export async function requirePassword(site: Site, viewer: Member, password: string, field = "password"): Promise<string> {
  const key = { kind: "own-password", subject: viewer.id };
  await enforceRateLimit(site, key, failuresPerPerson);
  const account = await site.db
    .selectFrom("accounts")
    .select("password")
    .where("userId", "=", viewer.id)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  const hash = account?.password;
  if (!hash || !(await verifyPassword({ hash, password }, viewer.id))) throw new Invalid(accountTexts.passwordWrong, field);
  await refundRateLimit(site, [key]);
  return hash;
}

/**
 * For changes after `requirePassword`: a recovery may have ended the password meanwhile. Call it once the transaction has locked the account.
 * @throws Invalid for `field`.
 */
export async function requireSamePassword({ db }: SiteTransaction, userId: string, hash: string, field = "password"): Promise<void> {
  const own = db.selectFrom("accounts").select("id").where("userId", "=", userId).where("providerId", "=", "credential");
  if (!(await own.where("password", "=", hash).executeTakeFirst())) throw new Invalid(accountTexts.passwordWrong, field);
}

/**
 * Signs out all other devices and revokes links and trusted browsers. @returns the current session's new token; undefined without a session
 * or with `keepToken`. @throws Invalid for `current` or `password`, TooMany.
 */
export async function changePassword(
  site: Site,
  viewer: Viewer,
  client: ClientInfo,
  { current, password }: { current: string; password: string },
  { keepToken } = { keepToken: false },
): Promise<string | undefined> {
  requirePermission(viewer, "change an account", viewer?.id);
  const currentHash = await requirePassword(site, viewer, current, "current");
  const { name, email } = await site.db.selectFrom("users").select(["name", "email"]).where("id", "=", viewer.id).executeTakeFirstOrThrow();
  requireGoodPassword(site, { name, email }, password);
  const hash = await hashPassword(password, viewer.id);
  const token = await transaction(site, async (tx) => {
    const updatedAt = new Date(tx.now()).toISOString();
    await tx.db.updateTable("users").set({ updatedAt }).where("id", "=", viewer.id).execute();
    await requireSamePassword(tx, viewer.id, currentHash, "current");
    await tx.db
      .updateTable("accounts")
      .set({ password: hash, updatedAt })
      .where("userId", "=", viewer.id)
      .where("providerId", "=", "credential")
      .execute();
    await resetSecurity(tx, viewer.id, { keepSession: viewer.sessionId });
    await recordSecurityEvent(tx, { userId: viewer.id, kind: "password-changed", origin: client });
    tx.changed("account.changed", { userId: viewer.id, part: "password" });
    return viewer.sessionId && !keepToken ? renewToken(tx, viewer.sessionId) : undefined;
  });
  await emailOwner(site, viewer, "password-changed");
  return token;
}
