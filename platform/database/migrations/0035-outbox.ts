import { type Step, sql } from "./step.ts";

/** Emails that are queued, were sent recently or failed (docs/decisions/0034-email.md), and addresses that reject email. */
export const outbox: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("outbox")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("userId", text, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("address", text, (c) => c.notNull())
    .addColumn("message", text)
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("priority", "bigint", (c) => c.notNull())
    .addColumn("tries", "bigint", (c) => c.notNull().defaultTo(sql.lit(0)))
    .addColumn("dueAt", "bigint", (c) => c.notNull())
    .addColumn("expiresAt", "bigint", (c) => c.notNull())
    .addColumn("claim", text)
    .addColumn("startedAt", "bigint")
    .addColumn("finishedAt", "bigint")
    .addColumn("problem", text)
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("outbox_next").on("outbox").columns(["state", "priority", "number", "dueAt"]).execute();
  await db.schema.createIndex("outbox_due").on("outbox").columns(["state", "dueAt"]).execute();
  for (const column of ["userId", "address", "startedAt", "finishedAt"])
    await db.schema.createIndex(`outbox_${column}`).on("outbox").column(column).execute();
  await db.schema
    .createTable("refused_addresses")
    .addColumn("address", text, (c) => c.primaryKey().notNull())
    .addColumn("problem", text, (c) => c.notNull())
    .addColumn("refusedAt", "bigint", (c) => c.notNull())
    .execute();
};
