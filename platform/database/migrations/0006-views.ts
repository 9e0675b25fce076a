import type { Step } from "./step.ts";

/** Who has seen which story lately, so that nobody is counted twice in half an hour. */
export const views: Step = async (db) => {
  await db.schema
    .createTable("views")
    .addColumn("postId", "text", (c) => c.notNull().references("posts.id").onDelete("cascade"))
    // A member's id, or a keyed hash of a visitor's address and browser.
    .addColumn("viewerKey", "text", (c) => c.notNull())
    .addColumn("endsAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("views_key", ["postId", "viewerKey"])
    .execute();
  await db.schema.createIndex("views_end").on("views").column("endsAt").execute();
};
