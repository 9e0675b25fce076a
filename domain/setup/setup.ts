import { type Check, signUpChecks } from "#domain/accounts/account.ts";

/** The browser checks only what would make people retype the password; the server checks everything. */
export const setupChecks = {
  ...signUpChecks,
  siteName: (text) => (text.trim() === "" ? "Site name is required" : undefined),
} satisfies Record<string, Check>;

export const setupTexts = {
  done: "Your site is ready. You can change all of this in Settings.",
  linkUsed: "This link is no longer valid",
};
