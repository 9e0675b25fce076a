import type { Generated } from "kysely";

/** An email to one address; `message` is gone once nobody can send it any more. Times in milliseconds. */
export type OutboxRow = {
  number: Generated<number>;
  kind: string;
  userId: string | null;
  address: string;
  /** JSON: what it says. */
  message: string | null;
  state: "waiting" | "sending" | "sent" | "failed" | "unknown";
  /** Smaller goes first. */
  priority: number;
  tries: Generated<number>;
  /** When it is to be sent; of one that a process has claimed, when the claim ends. */
  dueAt: number;
  expiresAt: number;
  claim: Generated<string | null>;
  startedAt: Generated<number | null>;
  finishedAt: Generated<number | null>;
  problem: Generated<string | null>;
  /** Whose week's text it has; `message` then holds no more than the subscriber's token. */
  newsletter: Generated<number | null>;
  createdAt: number;
};

/** An address that its mail server refused for good. */
export type RefusedAddressRow = { address: string; problem: string; refusedAt: number };
