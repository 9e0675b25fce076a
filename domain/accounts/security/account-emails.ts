import { greeting } from "#domain/accounts/emails.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import type { Site } from "#domain/site.ts";
import type { EmailMessage } from "#platform/mail/mail.ts";

type Addressee = { name: string; email: string };
type Owner = Addressee & { id: string };

export function confirmNewEmailMessage(site: Site, { email }: Pick<Addressee, "email">, token: string): EmailMessage {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Confirm your new email for ${siteName}`,
    text: `Hello,

Please confirm ${email} as your new email address for ${siteName} by opening this link within 24 hours:

${site.url}/account/email?token=${encodeURIComponent(token)}

Didn’t ask for this? You can ignore this email. Nothing will change.

The ${siteName} team
`,
  };
}

const happened = {
  "password changed": {
    subject: "Your password was changed",
    text: "The password for your account was changed, and you were signed out on all other devices.",
  },
  "passkey added": {
    subject: "A passkey was added",
    text: "A passkey was added to your account. Anyone with that device and its PIN or fingerprint can sign in.",
  },
  "passkey removed": { subject: "A passkey was removed", text: "A passkey was removed from your account." },
  "authenticator on": {
    subject: "Two-step verification turned on",
    text: "Two-step verification is now on for your account.",
  },
  "authenticator off": {
    subject: "Two-step verification turned off",
    text: "Two-step verification is now off for your account. You sign in with just your password.",
  },
  "authenticator removed": {
    subject: "Two-step verification removed",
    text: "The site’s operator removed the authenticator app from your account and signed you out everywhere. You sign in with just your password.",
  },
  "backup codes renewed": {
    subject: "New backup codes",
    text: "Your account has new backup codes. The old ones no longer work.",
  },
} as const;

export type SecurityEvent = keyof typeof happened;

/** Sent whatever the member's settings. A failure to send is only logged. `notMe`: link that undoes the event. */
export async function emailOwner(site: Site, owner: Owner, event: SecurityEvent, notMe?: string): Promise<void> {
  try {
    const message = await composeForOwner(site, owner, event, notMe);
    await sendEmailNow(site, { kind: "security", userId: owner.id, ...message });
  } catch (err) {
    site.log.error({ err, event }, "security email not written");
  }
}

async function composeForOwner(site: Site, { id, name, email }: Owner, event: SecurityEvent, notMe?: string): Promise<EmailMessage> {
  const { siteName } = site.settings;
  // `viewer.confirmed` doesn't tell: the site may not require confirmation.
  const user = await site.db.selectFrom("users").select("emailVerified").where("id", "=", id).executeTakeFirst();
  const undo = "undo it here. We’ll sign everyone out and email you a link to choose a new password";
  return {
    to: email,
    subject: `${happened[event].subject} (${siteName})`,
    text: `${greeting({ name, emailVerified: user?.emailVerified })},

${happened[event].text}

If this was you, there’s nothing to do. If it wasn’t, ${notMe ? undo : "choose a new password right away"}:

${notMe ?? `${site.url}/forgot-password`}

Then contact us: ${site.url}/contact

The ${siteName} team
`,
  };
}

export function accountDeletedEmail(site: Site, { name, email, emailVerified }: Addressee & { emailVerified?: boolean }): EmailMessage {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Your ${siteName} account has been deleted`,
    text: `${greeting({ name, emailVerified })},

Your ${siteName} account has been deleted, along with your stories, messages, likes, bookmarks and follows.

Your data has been removed from the site. Copies in backups disappear as those expire. This is our last email to you.

Take care,
The ${siteName} team
`,
  };
}
