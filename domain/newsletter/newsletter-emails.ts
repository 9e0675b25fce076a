import type { EmailMessage } from "#platform/mail/mail.ts";
import { plainEmail } from "../mail/plain-email.ts";

type EmailContext = { siteName: string; url: string; email: string; token: string };

/** `code` confirms: of this email alone, as the token is also in newsletters. */
export function subscriptionEmail(context: EmailContext & { code: string }): EmailMessage {
  const { siteName, email, code } = context;
  const body = `Please open this link to confirm that you want the weekly ${siteName} newsletter:

${subscriberLink(context)}&code=${code}

Didn’t sign up? Ignore this email and you won’t hear from us again.`;
  return plainEmail(siteName, { to: email, subject: `Confirm your subscription to ${siteName}`, body });
}

export function alreadySubscribedEmail(context: EmailContext): EmailMessage {
  const { siteName, email } = context;
  const body = `Someone, probably you, signed up again for the weekly ${siteName} newsletter. You’re already subscribed, so there’s nothing to do. To unsubscribe, open this link:

${subscriberLink(context)}`;
  return plainEmail(siteName, { to: email, subject: `You’re already subscribed to ${siteName}`, body });
}

function subscriberLink({ url, token }: EmailContext): string {
  return `${url}/subscribe/confirm?token=${encodeURIComponent(token)}`;
}
