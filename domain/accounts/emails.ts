import type { EmailMessage } from "#platform/mail/mail.ts";

type EmailContext = { siteName: string; url: string; user: { name: string; email: string; emailVerified?: boolean } } & LinkTarget;
type LinkTarget = { token: string } | { link: string };

export function verificationEmail({ siteName, url, user, ...way }: EmailContext): EmailMessage {
  return {
    to: user.email,
    subject: `Confirm your email for ${siteName}`,
    text: `Hello,

Please confirm your email address by opening this link within 24 hours:

${linkOf(way, `${url}/verify-email`)}

Didn’t sign up for ${siteName}? You can ignore this email.

The ${siteName} team
`,
  };
}

export function recoveryEmail({ siteName, url, user, ...way }: EmailContext): EmailMessage {
  return {
    to: user.email,
    subject: `Reset your ${siteName} password`,
    text: `${greeting(user)},

Use this link to choose a new password. It expires in one hour.

${linkOf(way, `${url}/reset-password`)}

Didn’t ask for this? You can ignore this email. Your password won’t change.

The ${siteName} team
`,
  };
}

/** Uses the name only for confirmed addresses: anyone can sign up with another person's address and any name. */
export function greeting({ name, emailVerified = false }: { name: string; emailVerified?: boolean | undefined }): string {
  return emailVerified ? `Hello ${name}` : "Hello";
}

function linkOf(way: LinkTarget, page: string): string {
  return "link" in way ? way.link : `${page}?token=${encodeURIComponent(way.token)}`;
}
