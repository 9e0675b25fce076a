import { accountTexts } from "#domain/accounts/account.ts";
import { emailOwner } from "#domain/accounts/security/account-emails.ts";
import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import { resetSecurity } from "#domain/accounts/security/security-state.server.ts";
import { limitAttempts, refundAttempts } from "#domain/limits/attempts.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Invalid } from "#domain/refusals.ts";
import { type Member, type Site, transaction, type Viewer } from "#domain/site.ts";
import type { ClientInfo } from "./auth.server.ts";
import { hashPassword, verifyPassword } from "./password-hashes.server.ts";
import { requireGoodPassword } from "./password-rules.server.ts";
import { renewToken } from "./sessions.server.ts";

const failuresPerPerson = { max: 10, minutes: 15 };

/** Only failures count towards the limit. @throws Invalid for `field`, TooMany. */
export async function requirePassword(site: Site, viewer: Member, password: string, field = "password"): Promise<void> {
  const key = { kind: "own-password", subject: viewer.id };
  await limitAttempts(site, key, failuresPerPerson);
  const account = await site.db
    .selectFrom("accounts")
    .select("password")
    .where("userId", "=", viewer.id)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  const right = account?.password && (await verifyPassword({ hash: account.password, password }, viewer.id));
  if (!right) throw new Invalid(accountTexts.passwordWrong, field);
  await refundAttempts(site, [key]);
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
  await requirePassword(site, viewer, current, "current");
  const { name, email } = await site.db.selectFrom("users").select(["name", "email"]).where("id", "=", viewer.id).executeTakeFirstOrThrow();
  requireGoodPassword(site, { name, email }, password);
  const hash = await hashPassword(password, viewer.id);
  const token = await transaction(site, async (tx) => {
    const updatedAt = new Date(tx.now()).toISOString();
    await tx.db.updateTable("users").set({ updatedAt }).where("id", "=", viewer.id).execute();
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
