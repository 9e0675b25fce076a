import type { Generated } from "kysely";

/** `events` is a JSON array; times in milliseconds. */
export type WebhookRow = {
  id: string;
  address: string;
  events: string;
  secret: string;
  createdAt: number;
  failingSince: number | null;
  /** An administrator's doing where nothing says why. */
  offAt: number | null;
  offBecause: string | null;
};

export type WebhookDeliveryRow = {
  number: Generated<number>;
  webhookId: string;
  messageId: string;
  event: string;
  body: string;
  /** Whom it is about: it goes with the account. */
  userId: string | null;
  /** Gone as soon as it is done: it would be what is left of an account. */
  forgetAfter: boolean;
  state: "waiting" | "delivered" | "failed";
  tries: number;
  /** When it is to be tried next, or until when it is claimed. */
  dueAt: number;
  claim: string | null;
  createdAt: number;
  finishedAt: number | null;
  status: number | null;
  answer: string | null;
  problem: string | null;
};
