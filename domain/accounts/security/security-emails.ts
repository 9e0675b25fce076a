import { greeting } from "#domain/accounts/emails.ts";
import { dateAndTime, longDate } from "#domain/dates.ts";
import type { Site } from "#domain/site.ts";
import type { EmailMessage } from "#platform/mail/mail.ts";
import type { SignInMethods } from "./sign-in-methods.server.ts";

type Addressee = { name: string; email: string };

export function emailChangeRequestedEmail(
  site: Site,
  { email }: Pick<Addressee, "email">,
  { to, stop }: { to: string; stop: string },
): EmailMessage {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Email change requested (${siteName})`,
    text: `Hello,

Someone who knows your password asked to change the email address of your ${siteName} account to ${to}.
Nothing has changed yet.

If this was you, there’s nothing to do. If it wasn’t, stop the change here. We’ll sign everyone out and you can choose a new password:

${stop}

The ${siteName} team
`,
  };
}

export function emailChangedEmail(
  site: Site,
  { email }: Pick<Addressee, "email">,
  { to, undo }: { to: string; undo: string },
): EmailMessage {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Your email was changed (${siteName})`,
    text: `Hello,

The email address of your ${siteName} account was changed to ${to}. You can’t sign in with ${email} anymore.

If this was you, there’s nothing to do. If it wasn’t, take your account back within 72 hours. We’ll restore this email address,
sign everyone out and let you choose a new password:

${undo}

The ${siteName} team
`,
  };
}

export function emailRestoredEmail(site: Site, { email }: Pick<Addressee, "email">): EmailMessage {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `Email change undone (${siteName})`,
    text: `Hello,

The change of your ${siteName} account’s email to ${email} was undone with a link sent to the previous address. The account uses that address
again, and everyone was signed out.

If you didn’t expect this, contact us: ${site.url}/contact

The ${siteName} team
`,
  };
}

export function newDeviceEmail(
  site: Site,
  { name, email }: Addressee,
  { device, network, lastSeenAt, notMe }: { device: string; network: string; lastSeenAt: number; notMe: string },
): EmailMessage {
  const { siteName } = site.settings;
  return {
    to: email,
    subject: `New sign-in to ${siteName}`,
    text: `Hello ${name},

Someone signed in to your ${siteName} account from a new device:

${device}${network && `, from the network ${network}`}
${dateAndTime(lastSeenAt)}

If this was you, there’s nothing to do. If it wasn’t, sign everyone out here. We’ll then email you a link to choose a new password:

${notMe}

The ${siteName} team
`,
  };
}

export function recoveredEmail(site: Site, owner: Addressee & { emailVerified: boolean }, signInMethods: SignInMethods): EmailMessage {
  const { siteName } = site.settings;
  return {
    to: owner.email,
    subject: `Your password was changed (${siteName})`,
    text: `${greeting(owner)},

Someone chose a new password for your ${siteName} account using a link we emailed you. All devices were signed out, and no
browsers are trusted anymore.

${listSignInMethods(signInMethods)}

If this wasn’t you, someone else can read your email. Secure your email account first, then choose a new password again:

${site.url}/forgot-password

The ${siteName} team
`,
  };
}

function listSignInMethods({ passkeys, authenticator }: SignInMethods): string {
  const lines = passkeys.map(({ name, createdAt }) => `- the passkey “${name}”, added ${longDate(createdAt)}`);
  if (authenticator) lines.push("- codes from your authenticator app, after your password");
  if (lines.length === 0) return "Only the new password can sign in.";
  return `Besides your new password, these are still set up unless you’ve removed them:\n\n${lines.join("\n")}`;
}
