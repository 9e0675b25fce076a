import type { Step } from "./step.ts";

/** URLs of the operator's programs, and the deliveries to them (docs/decisions/0042-webhooks.md). */
export const webhooks: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("webhooks")
    .addColumn("id", text, (c) => c.primaryKey().notNull())
    .addColumn("address", text, (c) => c.notNull())
    .addColumn("events", text, (c) => c.notNull())
    .addColumn("secret", text, (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("failingSince", "bigint")
    .addColumn("offAt", "bigint")
    .addColumn("offBecause", text)
    .execute();
  // No foreign key to the webhook: deleting a webhook must not fail a member's concurrent write.
  await db.schema
    .createTable("webhook_deliveries")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("webhookId", text, (c) => c.notNull())
    .addColumn("messageId", text, (c) => c.notNull())
    .addColumn("event", text, (c) => c.notNull())
    .addColumn("body", text, (c) => c.notNull())
    .addColumn("userId", text, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("forgetAfter", "boolean", (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("tries", "bigint", (c) => c.notNull())
    .addColumn("dueAt", "bigint", (c) => c.notNull())
    .addColumn("claim", text)
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("finishedAt", "bigint")
    .addColumn("status", "bigint")
    .addColumn("answer", text)
    .addColumn("problem", text)
    .execute();
  await db.schema.createIndex("webhook_deliveries_due").on("webhook_deliveries").columns(["state", "dueAt"]).execute();
  await db.schema.createIndex("webhook_deliveries_log").on("webhook_deliveries").columns(["webhookId", "number"]).execute();
  await db.schema.createIndex("webhook_deliveries_userId").on("webhook_deliveries").column("userId").execute();
};
