import { type Step, sql } from "./step.ts";

/** For the public API: indexes for its lists, and keys with scopes. */
export const apiSecurity: Step = async (db, { text }) => {
  // For listing all stories, drafts included, newest first.
  await db.schema.createIndex("posts_age").on("posts").columns(["createdAt", "number"]).execute();

  // Only a hash of the key is stored. Times are milliseconds.
  await db.schema
    .createTable("api_keys")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("scopes", text, (c) => c.notNull())
    .addColumn("secretHash", text, (c) => c.notNull().unique())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("expiresAt", "bigint", (c) => c.notNull())
    .addColumn("lastUsedAt", "bigint")
    .execute();
  await db.schema.createIndex("api_keys_user").on("api_keys").columns(["userId", "createdAt"]).execute();

  // Keys used to be sessions, with all permissions of their owner.
  await sql`delete from sessions where "userAgent" = 'API key'`.execute(db);
};
