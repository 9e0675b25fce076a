import type { Generated } from "kysely";

/** `message` is null once the email can't be sent any more. */
export type OutboxRow = {
  number: Generated<number>;
  kind: string;
  userId: string | null;
  address: string;
  /** JSON. */
  message: string | null;
  state: "waiting" | "sending" | "sent" | "failed" | "unknown";
  /** Smaller is sent first. */
  priority: number;
  tries: Generated<number>;
  /** Or, if claimed, when the claim ends. */
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

/** The mail server permanently refused this address. */
export type RefusedAddressRow = { address: string; problem: string; refusedAt: number };
