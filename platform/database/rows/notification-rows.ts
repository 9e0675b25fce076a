import type { Generated } from "kysely";

/** Something that a member is told of. Times in milliseconds. */
export type NotificationRow = {
  number: Generated<number>;
  userId: string;
  kind: string;
  /** Null for what is about the member themselves. */
  postId: string | null;
  /** It tells of what happened from here to `updatedAt`. */
  since: number;
  updatedAt: number;
  readAt: number | null;
  emailDueAt: number | null;
};

/** One row for each kind for which a member has chosen; `push` is null where they haven't. */
export type NotificationPreferenceRow = { userId: string; kind: string; onSite: boolean; email: string; push: Generated<boolean | null> };

export type NotificationSettingsRow = {
  userId: string;
  /** Stories that were published until then count as read. */
  storiesReadAt: Generated<number>;
  timeZone: Generated<string | null>;
  /** Minutes after midnight. */
  quietFrom: Generated<number | null>;
  quietTo: Generated<number | null>;
  /** When the next summary is to be sent, and from when on it tells; null for who wants none. */
  dailyDueAt: Generated<number | null>;
  dailySince: Generated<number | null>;
  weeklyDueAt: Generated<number | null>;
  weeklySince: Generated<number | null>;
  /** Ends emails without a sign-in. */
  token: Generated<string | null>;
};
