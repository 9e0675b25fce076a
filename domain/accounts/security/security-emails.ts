import { greeting } from "#domain/accounts/emails.ts";
import { dateAndTime, longDate } from "#domain/dates.ts";
import { plainEmail } from "#domain/mail/plain-email.ts";
import type { Site } from "#domain/site.ts";
import type { EmailMessage } from "#platform/mail/mail.ts";
import type { SignInMethods } from "./sign-in-methods.server.ts";

type Addressee = { name: string; email: string };

export function emailChangeConfirmationEmail({ settings: { siteName }, url }: Site, to: string, token: string): EmailMessage {
  const body = `Please confirm ${to} as your new email address for ${siteName} by opening this link within 24 hours:

${url}/account/email?token=${encodeURIComponent(token)}

Didn’t ask for this? You can ignore this email. Nothing will change.`;
  return plainEmail(siteName, { to, subject: `Confirm your new email for ${siteName}`, body });
}

export function emailChangeRequestedEmail(
  { settings: { siteName } }: Site,
  to: string,
  change: { to: string; cancelUrl: string },
): EmailMessage {
  const body = `Someone who knows your password asked to change the email address of your ${siteName} account to ${change.to}. Nothing has changed yet.

If this was you, there’s nothing to do. If it wasn’t, stop the change here. We’ll sign everyone out and you can choose a new password:

${change.cancelUrl}`;
  return plainEmail(siteName, { to, subject: `Email change requested (${siteName})`, body });
}

export function emailChangedEmail({ settings: { siteName } }: Site, to: string, change: { to: string; undo: string }): EmailMessage {
  const body = `The email address of your ${siteName} account was changed to ${change.to}. You can’t sign in with ${to} anymore.

If this was you, there’s nothing to do. If it wasn’t, take your account back within 72 hours. We’ll restore this email address, sign everyone out and let you choose a new password:

${change.undo}`;
  return plainEmail(siteName, { to, subject: `Your email was changed (${siteName})`, body });
}

export function emailRestoredEmail({ settings: { siteName }, url }: Site, to: string): EmailMessage {
  const body = `Your ${siteName} account uses its previous email again. Someone used a link we sent to your previous email to undo the change to ${to}. Everyone was signed out.

If you didn’t expect this, contact us: ${url}/contact`;
  return plainEmail(siteName, { to, subject: `Email change undone (${siteName})`, body });
}

export function newDeviceEmail(
  { settings: { siteName } }: Site,
  { name, email }: Addressee,
  { device, network, lastSeenAt, notMe }: { device: string; network: string; lastSeenAt: number; notMe: string },
): EmailMessage {
  const body = `Someone signed in to your ${siteName} account from a new device:

${device}${network && `, from the network ${network}`}
${dateAndTime(lastSeenAt)}

If this was you, there’s nothing to do. If it wasn’t, sign everyone out here. We’ll then email you a link to choose a new password:

${notMe}`;
  return plainEmail(siteName, { to: email, subject: `New sign-in to ${siteName}`, hello: `Hello ${name}`, body });
}

export function recoveredEmail(site: Site, owner: Addressee & { emailVerified: boolean }, methods: SignInMethods): EmailMessage {
  const { siteName } = site.settings;
  const body = `Someone chose a new password for your ${siteName} account using a link we emailed you. All devices were signed out, and no browsers are trusted anymore.

${listSignInMethods(methods)}

If this wasn’t you, someone else can read your email. Secure your email account first, then choose a new password again:

${site.url}/forgot-password`;
  return plainEmail(siteName, { to: owner.email, subject: `Your password was changed (${siteName})`, hello: greeting(owner), body });
}

function listSignInMethods({ passkeys, authenticator }: SignInMethods): string {
  const lines = passkeys.map(({ name, createdAt }) => `- the passkey “${name}”, added ${longDate(createdAt)}`);
  if (authenticator) lines.push("- codes from your authenticator app, after your password");
  if (lines.length === 0) return "You can sign in only with your new password.";
  return `Besides your new password, these are still set up unless you’ve removed them:\n\n${lines.join("\n")}`;
}

export function accountDeletedEmail(site: Site, { email, ...member }: Addressee & { emailVerified?: boolean }): EmailMessage {
  const { siteName } = site.settings;
  const text = `${greeting(member)},

Your ${siteName} account has been deleted, along with your stories, messages, likes, bookmarks and follows.

Your data has been removed from the site. Copies in backups disappear as those expire. This is our last email to you.

Take care,
The ${siteName} team
`;
  return { to: email, subject: `Your ${siteName} account has been deleted`, text };
}
