import type { Selectable } from "kysely";
import type { OutboxRow } from "#platform/database/rows/outbox-rows.ts";

/** What administrators see of an email, which excludes its text; browser-safe. */
export type QueuedEmail = Pick<
  Selectable<OutboxRow>,
  "number" | "kind" | "address" | "state" | "tries" | "dueAt" | "createdAt" | "finishedAt" | "problem"
> & { canBeSent: boolean };

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
