import type { Step } from "./step.ts";

/** Errors of the server and of browsers, one row for equal ones (docs/decisions/0040-observability.md). */
export const faults: Step = async (db, { text }) => {
  await db.schema
    .createTable("faults")
    .addColumn("fingerprint", text, (c) => c.primaryKey().notNull())
    .addColumn("source", text, (c) => c.notNull())
    .addColumn("message", text, (c) => c.notNull())
    .addColumn("stack", text, (c) => c.notNull())
    .addColumn("route", text)
    .addColumn("requestId", text)
    .addColumn("count", "bigint", (c) => c.notNull())
    .addColumn("firstAt", "bigint", (c) => c.notNull())
    .addColumn("lastAt", "bigint", (c) => c.notNull())
    .addColumn("dismissedAt", "bigint")
    .execute();
  await db.schema.createIndex("faults_newest").on("faults").columns(["source", "lastAt"]).execute();
};
