import { type Check, signUpChecks } from "#domain/accounts/account.ts";

const later: Check = () => undefined;

/** The browser checks only what would make people retype the password; the server checks everything. */
export const setupChecks = {
  ...signUpChecks,
  siteName: (text) => (text.trim() === "" ? "Site name is required" : undefined),
  siteDescription: later,
  landingFigures: later,
  landingIntro: later,
  landingCommunity: later,
  allowRegistration: later,
} satisfies Record<string, Check>;

export const setupTexts = {
  done: "Your site is ready. You can change all of this in Settings.",
  linkUsed: "This link is no longer valid",
};
