import { days, hours } from "#platform/time.ts";

/** Browser-safe. `ttlMs`: how long an email is worth sending, at most as long as its links work. `isBulk` emails wait for all others. */
export const emailKinds = {
  confirmation: { label: "Email confirmation", ttlMs: hours(24), isBulk: false },
  recovery: { label: "Password reset", ttlMs: hours(1), isBulk: false },
  "email-change": { label: "Email change", ttlMs: hours(24), isBulk: false },
  security: { label: "Account security", ttlMs: days(7), isBulk: false },
  role: { label: "Staff role", ttlMs: days(7), isBulk: false },
  decision: { label: "Decision or answer", ttlMs: days(7), isBulk: false },
  messages: { label: "Unread messages", ttlMs: days(2), isBulk: false },
  follower: { label: "New follower", ttlMs: days(2), isBulk: true },
  like: { label: "Likes", ttlMs: days(2), isBulk: true },
  bookmark: { label: "Bookmarks", ttlMs: days(2), isBulk: true },
  digest: { label: "Summary of notifications", ttlMs: days(1), isBulk: true },
  subscription: { label: "Subscription confirmation", ttlMs: days(2), isBulk: false },
  goodbye: { label: "Account deleted", ttlMs: days(7), isBulk: false },
  webhook: { label: "Webhook turned off", ttlMs: days(7), isBulk: false },
  backup: { label: "Backups failing", ttlMs: days(7), isBulk: false },
  test: { label: "Test", ttlMs: hours(1), isBulk: false },
  newsletter: { label: "Newsletter", ttlMs: days(3), isBulk: true },
  stories: { label: "Stories by followed writers", ttlMs: days(2), isBulk: true },
} as const satisfies Record<string, { label: string; ttlMs: number; isBulk: boolean }>;

export type EmailKind = keyof typeof emailKinds;
