export const securityEventTexts = {
  "sign-in": "Signed in",
  "second-step-failed": "Wrong sign-in code",
  "password-changed": "Password changed",
  recovered: "New password chosen by email",
  "passkey-added": "Passkey added",
  "passkey-removed": "Passkey removed",
  "authenticator-added": "Authenticator app turned on",
  "authenticator-removed": "Authenticator app turned off",
  "second-step-removed": "Authenticator app removed by the site’s operator",
  "backup-codes-renewed": "New backup codes created",
  "email-change-requested": "Email change requested",
  "email-changed": "Email changed",
  "email-change-undone": "Email change undone",
  "signed-out-everywhere": "Signed out everywhere",
  disowned: "Reported as “This wasn’t me”",
  "api-key-created": "API key created",
  "api-key-revoked": "API key revoked",
} as const;

export type SecurityEventKind = keyof typeof securityEventTexts;
