import type { Generated } from "kysely";

/** One thing that somebody on the staff did, or looked at. `before` and `after` are JSON. */
export type AuditRow = {
  number: Generated<number>;
  userId: string | null;
  userName: string;
  action: string;
  subject: string;
  before: string | null;
  after: string | null;
  /** What can be undone: the moderation action it was. */
  actionId: Generated<string | null>;
  createdAt: number;
  /** From where it was done, cut off: who did it shares it with others. */
  network: Generated<string | null>;
  /** Null for entries older than the hash chain, and once what it says was forgotten. */
  salt: Generated<string | null>;
  contentHash: Generated<string | null>;
  /** The place in the chain, from 1, and what binds it to the one before. */
  link: Generated<number | null>;
  hash: Generated<string | null>;
};
