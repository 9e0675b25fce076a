import type { Generated } from "kysely";

export type NotificationRow = {
  number: Generated<number>;
  userId: string;
  kind: string;
  postId: string | null;
  /** Covers events from here to `updatedAt`. */
  since: number;
  updatedAt: number;
  readAt: number | null;
  emailDueAt: number | null;
};

export type NotificationPreferenceRow = { userId: string; kind: string; onSite: boolean; email: string; push: Generated<boolean | null> };

export type NotificationSettingsRow = {
  userId: string;
  /** Stories published until then count as read. */
  storiesReadAt: Generated<number>;
  timeZone: Generated<string | null>;
  quietFrom: Generated<number | null>;
  quietTo: Generated<number | null>;
  /** Next digest and the start of its period; null for none. */
  dailyDueAt: Generated<number | null>;
  dailySince: Generated<number | null>;
  weeklyDueAt: Generated<number | null>;
  weeklySince: Generated<number | null>;
  token: Generated<string | null>;
};
