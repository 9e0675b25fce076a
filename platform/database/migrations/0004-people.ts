import { type Step, sql } from "./step.ts";

/** Profiles, private messages between two people, and the weekly letter's readers. */
export const people: Step = async (db, { text }) => {
  await db.schema
    .createTable("profiles")
    .addColumn("userId", text, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("userName", text, (c) => c.notNull())
    .addColumn("bio", text, (c) => c.notNull())
    .addColumn("location", text, (c) => c.notNull())
    .addColumn("website", text, (c) => c.notNull())
    .addColumn("twitter", text, (c) => c.notNull())
    .addColumn("github", text, (c) => c.notNull())
    .addColumn("linkedIn", text, (c) => c.notNull())
    .addColumn("profileImage", text, (c) => c.references("files.id").onDelete("set null"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("profiles_picture").on("profiles").column("profileImage").execute();

  await db.schema
    .createTable("conversations")
    .addColumn("id", text, (c) => c.primaryKey())
    // The two people in the order of their ids, so that a pair has one conversation.
    .addColumn("firstUserId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("secondUserId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("lastNumber", "integer", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .addUniqueConstraint("conversations_pair", ["firstUserId", "secondUserId"])
    .execute();
  await db.schema.createIndex("conversations_first").on("conversations").columns(["firstUserId", "updatedAt"]).execute();
  await db.schema.createIndex("conversations_second").on("conversations").columns(["secondUserId", "updatedAt"]).execute();

  await db.schema
    .createTable("messages")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("conversationId", text, (c) => c.notNull().references("conversations.id").onDelete("cascade"))
    .addColumn("number", "integer", (c) => c.notNull())
    // Made by the sender's browser: a second send with the same id is the same message.
    .addColumn("sendId", text, (c) => c.notNull())
    .addColumn("senderId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("receiverId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("message", text, (c) => c.notNull())
    .addColumn("isRead", "boolean", (c) => c.notNull())
    .addColumn("fileId", text, (c) => c.references("files.id").onDelete("set null"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addUniqueConstraint("messages_number", ["conversationId", "number"])
    .addUniqueConstraint("messages_send", ["senderId", "sendId"])
    .execute();
  await db.schema
    .createIndex("messages_unread")
    .on("messages")
    .columns(["receiverId", "conversationId"])
    .where(sql.ref("isRead"), "=", sql.lit(false))
    .execute();

  await db.schema
    .createTable("subscribers")
    .addColumn("email", text, (c) => c.primaryKey())
    .addColumn("token", text, (c) => c.notNull().unique())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("confirmedAt", "bigint")
    .execute();
};
