import type { Letter } from "#platform/mail/mail.ts";

type Occasion = { siteName: string; url: string; user: { name: string; email: string; emailVerified?: boolean } } & Way;
/** A link made of the token, or one that leads to a client's own page. */
type Way = { token: string } | { link: string };

export function verificationLetter({ siteName, url, user, ...way }: Occasion): Letter {
  return {
    to: user.email,
    subject: `Confirm your address for ${siteName}`,
    text: `Hello,

please open this link within a day to confirm that ${user.email} is yours:

${linkOf(way, `${url}/verify-email`)}

If you have not signed up at ${siteName}, ignore this letter.
`,
  };
}

export function recoveryLetter({ siteName, url, user, ...way }: Occasion): Letter {
  return {
    to: user.email,
    subject: `Choose a new password for ${siteName}`,
    text: `${greeting(user)},

open this link within an hour to choose a new password:

${linkOf(way, `${url}/reset-password`)}

If you have not asked for it, ignore this letter: your password stays as it is.
`,
  };
}

/** Only who has confirmed the address has chosen the name: anybody may sign up with anybody's address. */
export function greeting({ name, emailVerified = false }: { name: string; emailVerified?: boolean | undefined }): string {
  return emailVerified ? `Hello ${name}` : "Hello";
}

function linkOf(way: Way, page: string): string {
  return "link" in way ? way.link : `${page}?token=${encodeURIComponent(way.token)}`;
}
