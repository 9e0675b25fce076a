import { isLocalhost } from "#platform/localhost.ts";
import type { Site } from "../site.ts";

/** Without a mail server, emails are only files in the data folder: offered only on a local machine. */
export function isNewsletterOffered({ settings, mail, url }: Pick<Site, "settings" | "mail" | "url">): boolean {
  return settings.newsletterEnabled && (mail.delivers || isLocalhost(new URL(url)));
}

export const newsletterTexts = {
  checkEmail: "Almost there! Open the link in the email we just sent you.",
  notSent: "We couldn’t send the confirmation email. Please try again later.",
  confirmed: "You’re subscribed.",
  confirmFirst: "Please confirm your email address first.",
  unsubscribed: "This address is unsubscribed.",
  notOffered: "There’s no newsletter at the moment.",
  linkUsedUp: "This link has expired or was already used. Please subscribe again.",
};
