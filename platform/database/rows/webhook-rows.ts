import type { Generated } from "kysely";

/** `events`: JSON array. */
export type WebhookRow = {
  id: string;
  address: string;
  events: string;
  secret: string;
  createdAt: number;
  failingSince: number | null;
  /** When it was turned off: by an administrator if `offBecause` is null. */
  offAt: number | null;
  offBecause: string | null;
};

export type WebhookDeliveryRow = {
  number: Generated<number>;
  webhookId: string;
  messageId: string;
  event: string;
  body: string;
  userId: string | null;
  /** Deleted once delivered: it would be the last trace of an account. */
  forgetAfter: boolean;
  state: "waiting" | "delivered" | "failed";
  tries: number;
  dueAt: number;
  claim: string | null;
  createdAt: number;
  finishedAt: number | null;
  status: number | null;
  answer: string | null;
  problem: string | null;
};
