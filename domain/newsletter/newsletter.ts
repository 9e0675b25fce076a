import { isThisMachine } from "#platform/this-machine.ts";
import type { Site } from "../site.ts";

/** Without a mail server emails are files in the data folder, which only somebody who tries the site on their own machine ever opens. */
export function isNewsletterOffered({ settings, mail, url }: Pick<Site, "settings" | "mail" | "url">): boolean {
  return settings.newsletterEnabled && (mail.delivers || isThisMachine(new URL(url)));
}

/** Texts of the weekly email's sign-up; browser-safe. */
export const newsletterTexts = {
  asked: "Almost there! Open the link in the email we just sent you.",
  notSent: "We couldn’t send the confirmation email. Please try again later.",
  confirmed: "You’re subscribed.",
  confirmFirst: "Please confirm your email address first.",
  unsubscribed: "You’re unsubscribed.",
  notOffered: "There’s no newsletter at the moment.",
  linkUsedUp: "This link has expired or was already used. Please subscribe again.",
};
