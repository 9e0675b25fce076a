import type { Generated } from "kysely";

export type OutboxRow = {
  number: Generated<number>;
  kind: string;
  userId: string | null;
  address: string;
  /** JSON. */
  message: string | null;
  state: "waiting" | "sending" | "sent" | "failed" | "unknown";
  priority: number;
  tries: Generated<number>;
  dueAt: number;
  expiresAt: number;
  claim: Generated<string | null>;
  startedAt: Generated<number | null>;
  finishedAt: Generated<number | null>;
  problem: Generated<string | null>;
  /** Week of the newsletter; `message` then holds only the subscriber's token. */
  newsletter: Generated<number | null>;
  createdAt: number;
};

export type RefusedAddressRow = { address: string; problem: string; refusedAt: number };
