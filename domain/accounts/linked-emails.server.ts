import { randomBytes } from "node:crypto";
import { type ClientInfo, confirmationTtlSeconds } from "#domain/accounts/sign-in/auth.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import { hours, seconds } from "#platform/time.ts";
import { Conflict, Invalid, NotFound } from "../refusals.ts";
import type { Member, Site } from "../site.ts";
import { accountTexts } from "./account.ts";
import { confirmationToken, confirmEmail, limitConfirmations, readConfirmation } from "./confirmation.server.ts";
import { confirmationEmail, recoveryEmail } from "./emails.ts";
import { isRecoveryEmailAllowed, isRecoveryTokenValid, resetPassword } from "./recovery.server.ts";

export type SentLink = { userId: string; expiresAt: number };

/** Unlike `requestRecovery`, the protocol reveals whether the account exists. @throws NotFound, TooMany. */
export async function emailRecoveryLink(site: Site, client: ClientInfo, { email, url }: { email: string; url: string }): Promise<SentLink> {
  const mayMail = await isRecoveryEmailAllowed(site, client, email);
  const user = await site.db.selectFrom("users").select(["id", "name", "emailVerified"]).where("email", "=", email).executeTakeFirst();
  if (!user) throw new NotFound();
  const expiresAt = site.now() + hours(1);
  if (!mayMail) return { userId: user.id, expiresAt };
  const secret = randomBytes(32).toString("hex");
  const { internalAdapter } = await site.auth.$context;
  await internalAdapter.createVerificationValue({ identifier: `reset-password:${secret}`, value: user.id, expiresAt: new Date(expiresAt) });
  const link = linkTo(url, { userId: user.id, secret, expiresAt });
  const message = recoveryEmail({ siteName: site.settings.siteName, url: site.url, user: { ...user, email }, link });
  await sendEmailNow(site, { kind: "recovery", userId: user.id, ...message });
  return { userId: user.id, expiresAt };
}

/** Single use. @throws Invalid. */
export async function recoverByLink(
  site: Site,
  client: ClientInfo,
  { userId, secret, password }: { userId: string; secret: string; password: string },
): Promise<void> {
  const { internalAdapter } = await site.auth.$context;
  const stored = (await isRecoveryTokenValid(site, secret))
    ? await internalAdapter.findVerificationValue(`reset-password:${secret}`)
    : null;
  if (stored?.value !== userId) throw new Invalid(accountTexts.linkUsedUp);
  await resetPassword(site, client, secret, password);
}

/** @throws Conflict if already confirmed, TooMany. */
export async function emailConfirmationLink(site: Site, viewer: Member, url: string): Promise<SentLink> {
  const user = await site.db
    .selectFrom("users")
    .select(["name", "email", "emailVerified"])
    .where("id", "=", viewer.id)
    .executeTakeFirstOrThrow();
  if (user.emailVerified) throw new Conflict("User email is already verified");
  await limitConfirmations(site, { id: viewer.id, email: user.email });
  const secret = await confirmationToken(site, { id: viewer.id, email: user.email });
  const expiresAt = site.now() + seconds(confirmationTtlSeconds);
  const link = linkTo(url, { userId: viewer.id, secret, expiresAt });
  const message = confirmationEmail({ siteName: site.settings.siteName, url: site.url, user, link });
  await sendEmailNow(site, { kind: "confirmation", userId: viewer.id, ...message });
  return { userId: viewer.id, expiresAt };
}

/** @throws Invalid. */
export async function confirmByLink(site: Site, { userId, secret }: { userId: string; secret: string }): Promise<void> {
  const confirmation = await readConfirmation(site, secret);
  if (confirmation?.userId !== userId) throw new Invalid(accountTexts.linkUsedUp);
  await confirmEmail(site, secret);
}

function linkTo(url: string, { userId, secret, expiresAt }: SentLink & { secret: string }): string {
  const link = new URL(url);
  link.searchParams.set("userId", userId);
  link.searchParams.set("secret", secret);
  link.searchParams.set("expire", new Date(expiresAt).toISOString());
  return link.href;
}
