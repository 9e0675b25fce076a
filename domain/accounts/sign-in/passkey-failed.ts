/** Separate from the other texts of accounts, which pages of members and staff don't load. */
export const passkeyFailed = "We couldn’t use that passkey. Please try again.";
