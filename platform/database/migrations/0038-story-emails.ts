import type { Step } from "./step.ts";

/** Stories just published of which emails have yet to be written to those who follow the writer and asked for each. */
export const storyEmails: Step = async (db, { text }) => {
  await db.schema
    .createTable("story_emails")
    .addColumn("postId", text, (c) => c.primaryKey().notNull().references("posts.id").onDelete("cascade").onUpdate("cascade"))
    .addColumn("dueAt", "bigint", (c) => c.notNull())
    // Up to here, in the order of their ids, members have their email in the outbox.
    .addColumn("lastUserId", text, (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.createIndex("story_emails_due").on("story_emails").column("dueAt").execute();
};
