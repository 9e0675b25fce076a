import { type Step, sql } from "./step.ts";

/** What administrators set, and what they did. */
export const administration: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("settings")
    .addColumn("name", text, (c) => c.notNull().primaryKey())
    // JSON; a setting without a row has its default.
    .addColumn("value", text, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable("audit_log")
    .addColumn("number", serial, (c) => c.primaryKey())
    // Null for the console. The name stays when the account goes.
    .addColumn("userId", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("userName", text, (c) => c.notNull())
    .addColumn("action", text, (c) => c.notNull())
    .addColumn("subject", text, (c) => c.notNull())
    .addColumn("before", text)
    .addColumn("after", text)
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .execute();
  for (const column of ["userId", "action", "subject"])
    await db.schema.createIndex(`audit_log_${column}`).on("audit_log").columns([column, "number"]).execute();

  await db.schema
    .alterTable("posts")
    .addColumn("adjustedLikes", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("adjusted_likes")
    .addColumn("postId", text, (c) => c.notNull().references("posts.id").onDelete("cascade"))
    // No account's.
    .addColumn("userId", text, (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("adjusted_likes_key", ["postId", "userId"])
    .execute();

  // Minutes since 1970 in which some process of the site was there.
  await db.schema
    .createTable("uptime")
    .addColumn("minute", "integer", (c) => c.notNull().primaryKey())
    .execute();
  await db.schema.createIndex("users_newest").on("users").columns(["createdAt", "id"]).execute();
  await sql`create index profiles_name on profiles (lower("userName"), "userId")`.execute(db);
};
