import type { Generated } from "kysely";

export type AuditRow = {
  number: Generated<number>;
  userId: string | null;
  userName: string;
  action: string;
  subject: string;
  before: string | null;
  after: string | null;
  actionId: Generated<string | null>;
  createdAt: number;
  network: Generated<string | null>;
  /** Null for entries older than the hash chain and after an account deletion. */
  salt: Generated<string | null>;
  contentHash: Generated<string | null>;
  link: Generated<number | null>;
  hash: Generated<string | null>;
};
