import { greeting } from "#domain/accounts/emails.ts";
import { plainEmail } from "#domain/mail/plain-email.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import type { Site } from "#domain/site.ts";
import type { EmailMessage } from "#platform/mail/mail.ts";
import type { SecurityEventKind } from "./security-event.ts";

type Owner = { id: string; name: string; email: string };

const emailTexts = {
  "password-changed": {
    subject: "Your password was changed",
    text: "The password for your account was changed, and you were signed out on all other devices.",
  },
  "passkey-added": {
    subject: "A passkey was added",
    text: "A passkey was added to your account. Anyone with that device and its PIN or fingerprint can sign in.",
  },
  "passkey-removed": { subject: "A passkey was removed", text: "A passkey was removed from your account." },
  "authenticator-added": {
    subject: "Two-step verification turned on",
    text: "Two-step verification is now on for your account.",
  },
  "authenticator-removed": {
    subject: "Two-step verification turned off",
    text: "Two-step verification is now off for your account. You sign in with just your password.",
  },
  "second-step-removed": {
    subject: "Two-step verification removed",
    text: "The site’s operator removed the authenticator app from your account and signed you out everywhere. You sign in with just your password.",
  },
  "backup-codes-renewed": {
    subject: "New backup codes",
    text: "Your account has new backup codes. The old ones no longer work.",
  },
} as const satisfies Partial<Record<SecurityEventKind, { subject: string; text: string }>>;

type EmailedEvent = keyof typeof emailTexts;

/** Sent whatever the member's settings. A failure to send is only logged. `notMe`: link that undoes the event. */
export async function emailOwner(site: Site, owner: Owner, event: EmailedEvent, notMe?: string): Promise<void> {
  try {
    await sendEmailNow(site, { kind: "security", userId: owner.id, ...(await composeForOwner(site, owner, event, notMe)) });
  } catch (err) {
    site.log.error({ err, event }, "security email not queued");
  }
}

async function composeForOwner(site: Site, { id, name, email }: Owner, event: EmailedEvent, notMe?: string): Promise<EmailMessage> {
  const { siteName } = site.settings;
  // `viewer.confirmed` doesn't tell: the site may not require confirmation.
  const user = await site.db.selectFrom("users").select("emailVerified").where("id", "=", id).executeTakeFirst();
  const undo = "undo it here. We’ll sign everyone out and email you a link to choose a new password";
  const question = event === "second-step-removed" ? "If you asked for this" : "If this was you";
  const body = `${emailTexts[event].text}

${question}, there’s nothing to do. If not, ${notMe ? undo : "choose a new password right away"}:

${notMe ?? `${site.url}/forgot-password`}

Then contact us: ${site.url}/contact`;
  const hello = greeting({ name, emailVerified: user?.emailVerified });
  return plainEmail(siteName, { to: email, subject: `${emailTexts[event].subject} (${siteName})`, hello, body });
}
