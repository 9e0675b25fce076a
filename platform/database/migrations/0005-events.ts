import { type Step, sql } from "./step.ts";

/** What happened on the site, in order: docs/decisions/0011-events.md. */
export const events: Step = async (db, { engine, text, serial }) => {
  const postgres = engine === "postgres";
  const table = db.schema
    .createTable("events")
    // Never handed out twice, even when every row was removed: browsers keep it as their place in the order.
    .addColumn("number", serial, (c) => (postgres ? c.primaryKey() : c.primaryKey().autoIncrement()))
    .addColumn("topic", text, (c) => c.notNull())
    .addColumn("type", text, (c) => c.notNull())
    .addColumn("data", text, (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull());
  const made = postgres ? table.addColumn("transaction", sql`xid8`, (c) => c.notNull().defaultTo(sql`pg_current_xact_id()`)) : table;
  await made.execute();
  const order = postgres ? ["transaction", "number"] : ["number"];
  await db.schema
    .createIndex("events_topic")
    .on("events")
    .columns(["topic", ...order])
    .execute();
  await db.schema.createIndex("events_age").on("events").column("createdAt").execute();
  if (postgres) await db.schema.createIndex("events_order").on("events").columns(order).execute();
};
