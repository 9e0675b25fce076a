import { type Step, sql } from "./step.ts";

/** Letters to members: when one about unread messages is due, and who wants which. */
export const membersApi: Step = async (db, { text }) => {
  await db.schema.alterTable("participants").addColumn("letterAt", "bigint").execute();
  await db.schema
    .createIndex("participants_letters")
    .on("participants")
    .column("letterAt")
    .where(sql.ref("letterAt"), "is not", null)
    .execute();
  // Whoever has no row wants all.
  await db.schema
    .createTable("letter_choices")
    .addColumn("userId", text, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("messages", "boolean", (c) => c.notNull())
    .addColumn("followers", "boolean", (c) => c.notNull())
    .execute();
};
