import type { Step } from "./step.ts";

/** Who follows whom, the accounts library's passkeys and authenticator apps, and whose account is gone. */
export const members: Step = async (db, { text, date }) => {
  await db.schema
    .createTable("follows")
    .addColumn("followerId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("followedId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("follows_key", ["followerId", "followedId"])
    .execute();
  await db.schema.createIndex("follows_of_followed").on("follows").columns(["followedId", "followerId"]).execute();
  await db.schema
    .createTable("follow_counts")
    .addColumn("userId", text, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("followers", "integer", (c) => c.notNull())
    .addColumn("following", "integer", (c) => c.notNull())
    .execute();

  // The last bookmarked first, page by page.
  await db.schema.createIndex("bookmarks_newest").on("bookmarks").columns(["userId", "createdAt", "postId"]).execute();
  await db.schema.dropIndex("bookmarks_of_user").execute();

  await db.schema.alterTable("users").addColumn("twoFactorEnabled", "boolean").execute();
  await db.schema
    .createTable("two_factors")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("secret", text, (c) => c.notNull())
    .addColumn("backupCodes", text, (c) => c.notNull())
    .addColumn("verified", "boolean")
    .addColumn("failedVerificationCount", "integer")
    .addColumn("lockedUntil", date)
    .execute();
  await db.schema.createIndex("two_factors_user").on("two_factors").column("userId").execute();
  await db.schema
    .createTable("passkeys")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", text)
    .addColumn("publicKey", text, (c) => c.notNull())
    .addColumn("credentialID", text, (c) => c.notNull().unique())
    .addColumn("counter", "integer", (c) => c.notNull())
    .addColumn("deviceType", text, (c) => c.notNull())
    .addColumn("backedUp", "boolean", (c) => c.notNull())
    .addColumn("transports", text)
    .addColumn("createdAt", date)
    .addColumn("aaguid", text)
    .execute();
  await db.schema.createIndex("passkeys_user").on("passkeys").column("userId").execute();

  // Nothing but the id: its addresses answer that there was somebody.
  await db.schema
    .createTable("departed")
    .addColumn("userId", text, (c) => c.primaryKey())
    .addColumn("leftAt", "bigint", (c) => c.notNull())
    .execute();
};
