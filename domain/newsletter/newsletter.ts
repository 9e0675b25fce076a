/** Texts of the weekly email's sign-up; browser-safe. */
export const newsletterTexts = {
  asked: "Almost there! Open the link in the email we just sent you.",
  notSent: "We couldn’t send the confirmation email. Please try again later.",
  confirmed: "You’re subscribed.",
  confirmFirst: "Please confirm your email address first.",
  unsubscribed: "You’re unsubscribed.",
  linkUsedUp: "This link has expired or was already used. Please subscribe again.",
};
