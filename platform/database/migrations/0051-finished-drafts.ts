import type { Step } from "./step.ts";

/** The saves that a story already has, so that a delayed or repeated one doesn't bring its draft back (docs/decisions/0018-drafts.md). */
export const finishedDrafts: Step = async (db, { text }) => {
  await db.schema
    .createTable("finished_drafts")
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("copyId", text, (c) => c.notNull())
    .addColumn("writer", text, (c) => c.notNull())
    .addColumn("writerCount", "bigint", (c) => c.notNull())
    .addColumn("finishedAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("finished_drafts_key", ["userId", "copyId", "writer"])
    .execute();
  await db.schema.createIndex("finished_drafts_age").on("finished_drafts").column("finishedAt").execute();
};
