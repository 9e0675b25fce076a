import type { Letter } from "#platform/mail/mail.ts";

type Occasion = { siteName: string; url: string; user: { name: string; email: string }; token: string };

export function verificationLetter({ siteName, url, user, token }: Occasion): Letter {
  return {
    to: user.email,
    subject: `Confirm your address for ${siteName}`,
    text: `Hello ${user.name},

please open this link within a day to confirm that ${user.email} is yours:

${url}/verify-email?token=${encodeURIComponent(token)}

If you have not signed up at ${siteName}, ignore this letter.
`,
  };
}

export function recoveryLetter({ siteName, url, user, token }: Occasion): Letter {
  return {
    to: user.email,
    subject: `Choose a new password for ${siteName}`,
    text: `Hello ${user.name},

open this link within an hour to choose a new password:

${url}/reset-password?token=${encodeURIComponent(token)}

If you have not asked for it, ignore this letter: your password stays as it is.
`,
  };
}
