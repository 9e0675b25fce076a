import { plainEmail } from "#domain/mail/plain-email.ts";
import type { EmailMessage } from "#platform/mail/mail.ts";

type EmailContext = { siteName: string; url: string; user: { name: string; email: string; emailVerified?: boolean } } & LinkTarget;
type LinkTarget = { token: string } | { link: string };

export function confirmationEmail({ siteName, url, user, ...target }: EmailContext): EmailMessage {
  const body = `Please confirm your email address by opening this link within 24 hours:

${linkOf(target, `${url}/verify-email`)}

Didn’t sign up for ${siteName}? You can ignore this email.`;
  return plainEmail(siteName, { to: user.email, subject: `Confirm your email for ${siteName}`, body });
}

export function recoveryEmail({ siteName, url, user, ...target }: EmailContext): EmailMessage {
  const body = `Use this link to choose a new password. It expires in one hour.

${linkOf(target, `${url}/reset-password`)}

Didn’t ask for this? You can ignore this email. Your password won’t change.`;
  return plainEmail(siteName, { to: user.email, subject: `Reset your ${siteName} password`, hello: greeting(user), body });
}

/** Uses the name only for confirmed addresses: anyone can sign up with another person's address and any name. */
export function greeting({ name, emailVerified = false }: { name: string; emailVerified?: boolean | undefined }): string {
  return emailVerified ? `Hello ${name}` : "Hello";
}

function linkOf(target: LinkTarget, page: string): string {
  return "link" in target ? target.link : `${page}?token=${encodeURIComponent(target.token)}`;
}
