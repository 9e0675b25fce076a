import type { Step } from "./step.ts";

/** Finds expired emails without reading the whole queue, which may be a newsletter's hundred thousand. */
export const outboxExpiry: Step = async (db) => {
  await db.schema.createIndex("outbox_expires").on("outbox").columns(["state", "expiresAt"]).execute();
};
