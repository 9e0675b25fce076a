import { APIError, createEmailVerificationToken } from "better-auth/api";
import { verifyJWT } from "better-auth/crypto";
import { confirmationTtlSeconds } from "#domain/accounts/sign-in/auth.server.ts";
import { enforceRateLimit, isWithinLimit } from "#domain/limits/rate-limits.server.ts";
import { forgetRefusedEmail } from "#domain/mail/refused-emails.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import { Invalid, NotAllowed, SignInRequired } from "../refusals.ts";
import type { Member, Site, Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";
import { confirmationEmail } from "./emails.ts";

const emailsPerPerson = { max: 5, minutes: 60 };
/** All accounts that had the address. */
const emailsPerRecipient = { max: 10, minutes: 24 * 60 };

/** Sends no email to an address that has got too many. */
export async function sendFirstConfirmation(site: Site, user: { id: string; name: string; email: string }): Promise<void> {
  if (await isWithinLimit(site, recipient(user), emailsPerRecipient)) await sendConfirmation(site, user);
}

function recipient({ email }: { email: string }) {
  return { kind: "confirmation-to", subject: email };
}

async function sendConfirmation(site: Site, user: { id: string; name: string; email: string }): Promise<void> {
  const token = await confirmationToken(site, user);
  const message = confirmationEmail({ siteName: site.settings.siteName, url: site.url, user, token });
  await sendEmailNow(site, { kind: "confirmation", userId: user.id, ...message });
}

export async function confirmationToken(site: Site, { id, email }: { id: string; email: string }): Promise<string> {
  const { securityEpoch } = await site.db.selectFrom("users").select("securityEpoch").where("id", "=", id).executeTakeFirstOrThrow();
  return createEmailVerificationToken(site.secret, email, undefined, confirmationTtlSeconds, { epoch: securityEpoch, userId: id });
}

/** @throws SignInRequired, TooMany. */
export async function sendConfirmationAgain(site: Site, viewer: Viewer): Promise<"sent" | "confirmed already"> {
  if (!viewer) throw new SignInRequired();
  const user = await site.db
    .selectFrom("users")
    .select(["id", "name", "email", "emailVerified"])
    .where("id", "=", viewer.id)
    .executeTakeFirst();
  if (!user || user.emailVerified) return "confirmed already";
  await limitConfirmations(site, user);
  await sendConfirmation(site, user);
  return "sent";
}

/** @throws TooMany. */
export async function limitConfirmations(site: Site, user: { id: string; email: string }): Promise<void> {
  await enforceRateLimit(site, { kind: "confirmation", subject: user.id }, emailsPerPerson);
  await enforceRateLimit(site, recipient(user), emailsPerRecipient);
}

export type Confirmation = { userId: string; name: string; email: string; confirmed: boolean };

/** Read-only. @returns null for an invalid, expired or revoked link. */
export async function readConfirmation(site: Site, token: string): Promise<Confirmation | null> {
  const payload = await verifyJWT(token, site.secret);
  const { email, epoch = 0, userId, purpose } = payload ?? {};
  if (typeof email !== "string" || typeof userId !== "string" || purpose !== undefined) return null;
  const user = await site.db
    .selectFrom("users")
    .select(["id", "name", "emailVerified", "securityEpoch"])
    .where("id", "=", userId)
    // Another account may have the address now.
    .where("email", "=", email)
    .executeTakeFirst();
  return user && user.securityEpoch === epoch ? { userId: user.id, name: user.name, email, confirmed: user.emailVerified } : null;
}

/** Idempotent. @throws Invalid. */
export async function confirmEmail(site: Site, token: string): Promise<void> {
  const confirmation = await readConfirmation(site, token);
  if (!confirmation) throw new Invalid(accountTexts.linkUsedUp);
  await site.auth.api.verifyEmail({ query: { token } }).catch((error) => {
    throw error instanceof APIError && error.statusCode < 500 ? new Invalid(accountTexts.linkUsedUp) : error;
  });
  await forgetRefusedEmail(site.db, confirmation.email);
}

/**
 * Whatever the settings say: a passkey or authenticator that a stranger adds would survive the owner's confirmation. @throws NotAllowed.
 */
export async function requireConfirmedEmail(site: Site, viewer: Member): Promise<void> {
  const user = await site.db.selectFrom("users").select("emailVerified").where("id", "=", viewer.id).executeTakeFirst();
  if (!user?.emailVerified) throw new NotAllowed(accountTexts.confirmFirst);
}
