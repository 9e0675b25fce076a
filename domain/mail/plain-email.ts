import type { EmailMessage } from "#platform/mail/mail.ts";

type PlainEmail = { to: string; subject: string; hello?: string; body: string };

export function plainEmail(siteName: string, { to, subject, hello = "Hello", body }: PlainEmail): EmailMessage {
  return { to, subject, text: `${hello},\n\n${body}\n\nThe ${siteName} team\n` };
}
