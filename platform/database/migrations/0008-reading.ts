import { type Step, sql } from "./step.ts";

/** Reports to the administrators, and what finding stories quickly and listing all of them for machines stand on. */
export const reading: Step = async (db, types) => {
  await reports(db, types);
  // A page of the sitemap is read from this alone: the rows of stories are long.
  await db.schema.createIndex("posts_sitemap").on("posts").columns(["status", "number", "id", "updatedAt"]).execute();
};

/** A report outlives what it is about, and who made it. */
const reports: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("reports")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("id", text, (c) => c.notNull().unique())
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("subjectId", text, (c) => c.notNull())
    // Whose thing it is.
    .addColumn("ownerId", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("reporterId", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("reason", text, (c) => c.notNull())
    .addColumn("note", text, (c) => c.notNull())
    // What was there to be seen when it was reported.
    .addColumn("excerpt", text, (c) => c.notNull())
    .addColumn("status", text, (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("reports_once")
    .unique()
    .on("reports")
    .columns(["kind", "subjectId", "reporterId"])
    .where(sql.ref("status"), "=", sql.lit("pending"))
    .execute();
  await db.schema.createIndex("reports_status").on("reports").columns(["status", "number"]).execute();
  await db.schema.createIndex("reports_owner").on("reports").column("ownerId").execute();
  await db.schema.createIndex("reports_reporter").on("reports").column("reporterId").execute();

  await db.schema
    .createTable("report_counts")
    .addColumn("status", text, (c) => c.notNull().primaryKey())
    .addColumn("count", "integer", (c) => c.notNull())
    .execute();
};
