import type { EmailMessage } from "#platform/mail/mail.ts";

/** `links`: after the name of the site. */
type PlainEmail = { to: string; subject: string; hello?: string; body: string; links?: string };

export function plainEmail(siteName: string, { to, subject, hello = "Hello", body, links = "" }: PlainEmail): EmailMessage {
  return { to, subject, text: `${hello},\n\n${body}\n\nThe ${siteName} team\n${links}` };
}

export function preferenceLinks(url: string, unsubscribeUrl: string): string {
  return `\nChoose which emails you get: ${url}/notifications/settings\n\nStop these emails: ${unsubscribeUrl}\n`;
}
