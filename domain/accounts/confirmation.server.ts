import { APIError, createEmailVerificationToken } from "better-auth/api";
import { verifyJWT } from "better-auth/crypto";
import { Invalid, SignInFirst } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { accountTexts } from "./account.ts";
import { forgiveAttempt, limitAttempts } from "./attempts.server.ts";
import { confirmationLasts } from "./auth.server.ts";
import { verificationLetter } from "./letters.ts";

const lettersPerPerson = { max: 5, minutes: 60 };

/** Mails the link that confirms an address. */
export async function sendConfirmation(site: Site, user: { name: string; email: string }): Promise<void> {
  const token = await createEmailVerificationToken(site.secret, user.email, undefined, confirmationLasts);
  await site.mail.send(verificationLetter({ siteName: site.settings.siteName, url: site.url, user, token }));
}

/**
 * Mails the link once more. `failed` when the mail server would not take it; that does not count towards the limit.
 * @throws SignInFirst, TooMany.
 */
export async function sendConfirmationAgain(site: Site, viewer: Viewer): Promise<"sent" | "confirmed already" | "failed"> {
  if (!viewer) throw new SignInFirst();
  const user = await site.db.selectFrom("users").select(["name", "email", "emailVerified"]).where("id", "=", viewer.id).executeTakeFirst();
  if (!user || user.emailVerified) return "confirmed already";
  const key = `confirmation:${viewer.id}`;
  await limitAttempts(site, key, lettersPerPerson);
  try {
    await sendConfirmation(site, user);
    return "sent";
  } catch (err) {
    site.log.error({ err, userId: viewer.id }, "confirmation mail not sent");
    await forgiveAttempt(site, key);
    return "failed";
  }
}

/** An account whose address a link confirms. */
export type Confirmation = { userId: string; name: string; email: string; confirmed: boolean };

/** Whose address a link confirms, or null for one that is wrong or too old. Changes nothing. */
export async function readConfirmation(site: Site, token: string): Promise<Confirmation | null> {
  const payload = await verifyJWT(token, site.secret);
  const email = payload?.email;
  if (typeof email !== "string") return null;
  const user = await site.db.selectFrom("users").select(["id", "name", "emailVerified"]).where("email", "=", email).executeTakeFirst();
  return user ? { userId: user.id, name: user.name, email, confirmed: user.emailVerified } : null;
}

/** Confirms the address that the link was mailed to; a second time changes nothing. @throws Invalid. */
export async function confirmAddress(site: Site, token: string): Promise<void> {
  if (!(await readConfirmation(site, token))) throw new Invalid(accountTexts.linkUsedUp);
  await site.auth.api.verifyEmail({ query: { token } }).catch((error) => {
    throw error instanceof APIError && error.statusCode < 500 ? new Invalid(accountTexts.linkUsedUp) : error;
  });
}
