import type { EmailMessage } from "#platform/mail/mail.ts";

type EmailContext = { siteName: string; url: string; email: string; token: string };

function subscriberLink({ url, token }: EmailContext): string {
  return `${url}/subscribe/confirm?token=${encodeURIComponent(token)}`;
}

export function subscriptionEmail(occasion: EmailContext): EmailMessage {
  return {
    to: occasion.email,
    subject: `Confirm your subscription to ${occasion.siteName}`,
    text: `Hello,

Please open this link to confirm that you want the weekly ${occasion.siteName} newsletter:

${subscriberLink(occasion)}

Didn’t sign up? Ignore this email and you won’t hear from us again.

The ${occasion.siteName} team
`,
  };
}

export function alreadySubscribedEmail(occasion: EmailContext): EmailMessage {
  return {
    to: occasion.email,
    subject: `You’re already subscribed to ${occasion.siteName}`,
    text: `Hello,

Someone, probably you, signed up again for the weekly ${occasion.siteName} newsletter. You’re already subscribed, so there’s nothing
to do. To unsubscribe, open this link:

${subscriberLink(occasion)}

The ${occasion.siteName} team
`,
  };
}
