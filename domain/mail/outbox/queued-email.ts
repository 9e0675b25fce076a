import type { OutboxRow } from "#platform/database/rows/outbox-rows.ts";

/** What administrators see of an email, which excludes its text; browser-safe. */
export type QueuedEmail = {
  number: number;
  kind: string;
  address: string;
  state: OutboxRow["state"];
  tries: number;
  dueAt: number;
  createdAt: number;
  finishedAt: number | null;
  problem: string | null;
  canBeSent: boolean;
};

export const emailLists = ["waiting", "failed", "sent"] as const;
export type EmailList = (typeof emailLists)[number];
export type EmailCounts = Record<EmailList, number>;

export const statesIn: Record<EmailList, OutboxRow["state"][]> = {
  waiting: ["waiting", "sending"],
  failed: ["failed", "unknown"],
  sent: ["sent"],
};

export const outboxTexts = {
  again: "The email will be sent again.",
  discarded: "The email won’t be sent.",
  gone: "This email has already been sent or discarded.",
  failed: "That didn’t work. Please try again.",
};
