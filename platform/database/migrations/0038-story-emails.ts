import type { Step } from "./step.ts";

/** New stories whose emails to followers haven't all been queued yet. */
export const storyEmails: Step = async (db, { text }) => {
  await db.schema
    .createTable("story_emails")
    .addColumn("postId", text, (c) => c.primaryKey().notNull().references("posts.id").onDelete("cascade").onUpdate("cascade"))
    .addColumn("dueAt", "bigint", (c) => c.notNull())
    // The last member, by id, whose email is in the outbox.
    .addColumn("lastUserId", text, (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.createIndex("story_emails_due").on("story_emails").column("dueAt").execute();
};
