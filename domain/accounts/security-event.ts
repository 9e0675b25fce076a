/** What the security log of an account can say, in the words that its owner reads; browser-safe. */
export const securityEventTexts = {
  "sign-in": "Signed in",
  "second-step-failed": "Wrong code at the second step",
  "password-changed": "Password changed",
  recovered: "New password chosen by email",
  "passkey-added": "Passkey added",
  "passkey-removed": "Passkey removed",
  "authenticator-added": "Authenticator app turned on",
  "authenticator-removed": "Authenticator app turned off",
  "second-step-removed": "Authenticator app removed by the operator",
  "backup-codes-renewed": "New backup codes made",
  "email-change-requested": "Change of email address requested",
  "email-changed": "Email address changed",
  "email-change-undone": "Change of email address undone",
  "signed-out-everywhere": "Signed out everywhere",
  disowned: "Reported as “This wasn’t me”",
  "api-key-created": "API key made",
  "api-key-revoked": "API key revoked",
} as const;

export type SecurityEventKind = keyof typeof securityEventTexts;
