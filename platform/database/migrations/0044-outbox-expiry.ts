import type { Step } from "./step.ts";

/** What waits too long is found without reading all that waits, which may be a newsletter's hundred thousand emails. */
export const outboxExpiry: Step = async (db) => {
  await db.schema.createIndex("outbox_expires").on("outbox").columns(["state", "expiresAt"]).execute();
};
