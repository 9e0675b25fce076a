/** Texts of the weekly letter's sign-up; browser-safe. */
export const newsletterTexts = {
  /** The same whether or not the address was known. */
  asked: "Almost there: please open the link we sent to your address.",
  notSent: "The confirmation mail could not be sent. Please try again later.",
  confirmed: "You are subscribed.",
  unsubscribed: "You will not get any more letters.",
  linkUsedUp: "This link is not valid any more. Please subscribe again.",
};
