import type { Step } from "./step.ts";

/** The accounts library's four tables, under its own field names, and who administers the site. */
export const accounts: Step = async (db, { text, date }) => {
  await db.schema
    .createTable("users")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("email", text, (c) => c.notNull().unique())
    .addColumn("emailVerified", "boolean", (c) => c.notNull())
    .addColumn("image", text)
    .addColumn("createdAt", date, (c) => c.notNull())
    .addColumn("updatedAt", date, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable("sessions")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("token", text, (c) => c.notNull().unique())
    .addColumn("expiresAt", date, (c) => c.notNull())
    .addColumn("ipAddress", text)
    .addColumn("userAgent", text)
    .addColumn("createdAt", date, (c) => c.notNull())
    .addColumn("updatedAt", date, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("sessions_user").on("sessions").column("userId").execute();

  await db.schema
    .createTable("accounts")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("accountId", text, (c) => c.notNull())
    .addColumn("providerId", text, (c) => c.notNull())
    .addColumn("accessToken", text)
    .addColumn("refreshToken", text)
    .addColumn("idToken", text)
    .addColumn("accessTokenExpiresAt", date)
    .addColumn("refreshTokenExpiresAt", date)
    .addColumn("scope", text)
    .addColumn("password", text)
    .addColumn("createdAt", date, (c) => c.notNull())
    .addColumn("updatedAt", date, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("accounts_user").on("accounts").column("userId").execute();

  await db.schema
    .createTable("verifications")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("identifier", text, (c) => c.notNull())
    .addColumn("value", text, (c) => c.notNull())
    .addColumn("expiresAt", date, (c) => c.notNull())
    .addColumn("createdAt", date, (c) => c.notNull())
    .addColumn("updatedAt", date, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("verifications_identifier").on("verifications").column("identifier").execute();

  await db.schema
    .createTable("administrators")
    .addColumn("userId", text, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .execute();

  await db.schema
    .createTable("attempts")
    .addColumn("key", text, (c) => c.primaryKey())
    .addColumn("count", "integer", (c) => c.notNull())
    .addColumn("endsAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("attempts_end").on("attempts").column("endsAt").execute();
};
