import { type Step, sql } from "./step.ts";

/** One row per weekly newsletter, with its content shared by all subscribers. */
export const newsletter: Step = async (db, { text }) => {
  await db.schema
    .createTable("newsletters")
    // Weeks since Monday, 5 January 1970.
    .addColumn("week", "bigint", (c) => c.primaryKey().notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("subject", text)
    .addColumn("introduction", text)
    // JSON: the sent content.
    .addColumn("body", text)
    // The last subscriber, by address, whose email is in the outbox.
    .addColumn("lastEmail", text, (c) => c.notNull().defaultTo(""))
    .addColumn("recipients", "bigint", (c) => c.notNull().defaultTo(sql.lit(0)))
    .addColumn("unsubscribed", "bigint", (c) => c.notNull().defaultTo(sql.lit(0)))
    .execute();
  await db.schema
    .alterTable("outbox")
    .addColumn("newsletter", "bigint", (c) => c.references("newsletters.week").onDelete("cascade"))
    .execute();
  await db.schema.createIndex("outbox_newsletter").on("outbox").columns(["newsletter", "state"]).execute();
};
