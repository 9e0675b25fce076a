import { type Step, sql } from "./step.ts";

/** What the public API needs to be safe: lists that are quick at any size, and keys that can do only so much. */
export const apiSecurity: Step = async (db, { text }) => {
  // The newest of all stories, drafts among them, in order.
  await db.schema.createIndex("posts_age").on("posts").columns(["createdAt", "number"]).execute();

  // Of a key only a hash is kept. Times are milliseconds.
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

  // Keys used to be sessions, which may do everything that their owner may.
  await sql`delete from sessions where "userAgent" = 'API key'`.execute(db);
};
