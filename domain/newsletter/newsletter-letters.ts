import type { Letter } from "#platform/mail/mail.ts";

type Occasion = { siteName: string; url: string; email: string; token: string };

function link({ url, token }: Occasion): string {
  return `${url}/subscribe/confirm?token=${encodeURIComponent(token)}`;
}

export function subscriptionLetter(occasion: Occasion): Letter {
  return {
    to: occasion.email,
    subject: `Confirm your subscription to ${occasion.siteName}`,
    text: `Hello,

please open this link to get the weekly letter of ${occasion.siteName}:

${link(occasion)}

If you have not asked for it, ignore this letter: you will not get any other.
`,
  };
}

export function subscribedAlreadyLetter(occasion: Occasion): Letter {
  return {
    to: occasion.email,
    subject: `You are subscribed to ${occasion.siteName}`,
    text: `Hello,

somebody, probably you, asked for the weekly letter of ${occasion.siteName}. You are subscribed already, so there is
nothing to do. If you do not want it any more, open this link:

${link(occasion)}
`,
  };
}
