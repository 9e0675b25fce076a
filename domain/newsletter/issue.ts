import { days, hours } from "#platform/time.ts";
import type { Settings } from "../settings/settings.ts";

export type Issue = {
  week: number;
  dueAt: number;
  state: "planned" | "skipped" | "queueing" | "queued" | "empty";
  subject: string;
  introduction: string;
};

export type IssueStats = {
  week: number;
  dueAt: number;
  subject: string;
  recipients: number;
  sent: number;
  failed: number;
  unsubscribed: number;
};

export type IssueText = Pick<Issue, "subject" | "introduction">;

/** Details of a conflict: the text that someone else has saved. */
export type IssueChanged = IssueText & { kind: "issue-changed" };

export const issueLimits = { subject: 120, introduction: 2_000 };

export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** 1 January 1970 was a Thursday. */
const firstMonday = days(4);
const weekMs = days(7);

export function weekOf(time: number): number {
  return Math.floor((time - firstMonday) / weekMs);
}

export function dueAt(week: number, { newsletterDay, newsletterHour }: Pick<Settings, "newsletterDay" | "newsletterHour">): number {
  return firstMonday + week * weekMs + days(newsletterDay) + hours(newsletterHour);
}

/** An issue that is later than this is skipped. */
export const maxDelayMs = days(1);

/** The week of the latest issue that was or is due. Before this week's issue, it is last week's. */
export function lastDueWeek(now: number, settings: Pick<Settings, "newsletterDay" | "newsletterHour">): number {
  const week = weekOf(now);
  return now >= dueAt(week, settings) ? week : week - 1;
}

export function nextWeek(now: number, settings: Pick<Settings, "newsletterDay" | "newsletterHour">): number {
  const week = lastDueWeek(now, settings);
  return now < dueAt(week, settings) + maxDelayMs ? week : week + 1;
}

export const issueTexts = {
  saved: "The newsletter has been saved.",
  skipped: "There will be no newsletter this week.",
  resumed: "The newsletter will go out.",
  tested: (email: string) => `A test is on its way to ${email}.`,
  nothingToSay: "There is nothing to send yet: no story was published in the last seven days.",
  changed: "Someone else changed this newsletter. Save again to replace their version with yours.",
  underWay: "This newsletter is being sent already.",
};
