import type { Generated } from "kysely";

export type NewsletterRow = {
  week: number;
  state: "planned" | "skipped" | "queueing" | "queued" | "empty";
  subject: string | null;
  introduction: string | null;
  body: string | null;
  lastEmail: Generated<string>;
  recipients: Generated<number>;
  unsubscribed: Generated<number>;
};
