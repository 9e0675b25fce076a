import type { Selectable } from "kysely";
import type { WebhookDeliveryRow, WebhookRow } from "#platform/database/rows/webhook-rows.ts";

/** Named like the changes; browser-safe (docs/decisions/0042-webhooks.md). */
export const webhookEvents = {
  "post.published": "Story published",
  "post.hidden": "Story unpublished or held",
  "post.removed": "Story deleted",
  "member.joined": "Member joined",
  "report.created": "Report received",
  "account.suspended": "Account suspended",
} as const;

export type WebhookEvent = keyof typeof webhookEvents;
export const webhookEventNames = Object.keys(webhookEvents) as WebhookEvent[];

export const testEvent = "webhook.test";

export type Webhook = Omit<WebhookRow, "events" | "secret" | "createdAt"> & { events: WebhookEvent[] };

export const deliveryColumns = [
  "number",
  "event",
  "state",
  "tries",
  "dueAt",
  "createdAt",
  "finishedAt",
  "status",
  "answer",
  "problem",
  "body",
] as const;
export type Delivery = Pick<Selectable<WebhookDeliveryRow>, (typeof deliveryColumns)[number]>;

export const webhookLimits = { webhooks: 20, address: 500, deliveriesKept: 1_000, daysKept: 30, daysFailing: 3 };

export const webhookTexts = {
  saved: "The webhook has been saved.",
  on: "The webhook is on.",
  off: "The webhook is off.",
  deleted: "The webhook has been deleted.",
  tested: "The test event is on its way. Its result shows below.",
  again: "The event will be sent again.",
  gone: "This event is no longer listed or is already waiting to be sent.",
  tooMany: `You can have up to ${webhookLimits.webhooks} webhooks.`,
  wasOff: "The webhook was off.",
  wrongAddress: "Enter an address that begins with https://",
  privateAddress: "This address is on your own network. To allow that, start the site with WEBHOOKS_ALLOW_PRIVATE=yes.",
  otherPort: "Leave out the port: webhooks go to port 443 only.",
  noEvents: "Choose at least one event",
};
