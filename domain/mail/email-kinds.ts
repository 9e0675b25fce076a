import { days, hours } from "#platform/time.ts";

/** Browser-safe. `lastsMs`: how long an email is worth sending, at most as long as its links work. `toList` emails wait for all others. */
export const emailKinds = {
  confirmation: { label: "Confirm an address", lastsMs: hours(24), toList: false },
  recovery: { label: "New password", lastsMs: hours(1), toList: false },
  "email-change": { label: "Change of address", lastsMs: hours(24), toList: false },
  security: { label: "Account security", lastsMs: days(7), toList: false },
  role: { label: "Role on the staff", lastsMs: days(7), toList: false },
  decision: { label: "Decision or answer", lastsMs: days(7), toList: false },
  messages: { label: "Unread messages", lastsMs: days(2), toList: false },
  follower: { label: "New follower", lastsMs: days(2), toList: false },
  like: { label: "Likes", lastsMs: days(2), toList: true },
  bookmark: { label: "Bookmarks", lastsMs: days(2), toList: true },
  digest: { label: "Summary of notifications", lastsMs: days(1), toList: true },
  subscription: { label: "Confirm a subscription", lastsMs: days(2), toList: false },
  goodbye: { label: "Account deleted", lastsMs: days(7), toList: false },
  webhook: { label: "Webhook turned off", lastsMs: days(7), toList: false },
  test: { label: "Test", lastsMs: hours(1), toList: false },
  newsletter: { label: "Newsletter", lastsMs: days(3), toList: true },
  stories: { label: "Stories by followed writers", lastsMs: days(2), toList: true },
} as const satisfies Record<string, { label: string; lastsMs: number; toList: boolean }>;

export type EmailKind = keyof typeof emailKinds;
