import type { Step } from "./step.ts";

/** Readers' likes that an administrator took away, for as long as that can be undone. */
export const undo: Step = async (db, { text }) => {
  await db.schema
    .createTable("removed_likes")
    .addColumn("actId", text, (c) => c.notNull().references("acts.id").onDelete("cascade"))
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("removedAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("removed_likes_key", ["actId", "userId"])
    .execute();
  await db.schema.createIndex("removed_likes_user").on("removed_likes").column("userId").execute();
  await db.schema.createIndex("removed_likes_end").on("removed_likes").column("removedAt").execute();
};
