import { type Kysely, type Step, sql } from "./step.ts";

/** What each of the two people has of their conversation, whom somebody has blocked, and which sends were deleted. */
export const messages: Step = async (db, { text }) => {
  await db.schema
    .createTable("participants")
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("partnerId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("conversationId", text, (c) => c.notNull().references("conversations.id").onDelete("cascade"))
    // The newest message that is still there, and when it was sent; null once all are deleted.
    .addColumn("lastNumber", "integer")
    .addColumn("lastAt", "bigint")
    .addColumn("unreadCount", "integer", (c) => c.notNull())
    // Everything up to this number has been read by `userId`; it only grows.
    .addColumn("readNumber", "integer", (c) => c.notNull())
    .addColumn("muted", "boolean", (c) => c.notNull())
    .addPrimaryKeyConstraint("participants_pair", ["userId", "partnerId"])
    .execute();
  await db.schema.createIndex("participants_list").on("participants").columns(["userId", "lastAt", "conversationId"]).execute();
  await db.schema.createIndex("participants_conversation").on("participants").column("conversationId").execute();
  await db.schema.createIndex("participants_partner").on("participants").column("partnerId").execute();
  await db.schema
    .createIndex("participants_unread")
    .on("participants")
    .columns(["userId", "muted", "unreadCount"])
    .where(sql.ref("unreadCount"), ">", sql.lit(0))
    .execute();

  await db.schema
    .createTable("blocks")
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("blockedId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("blocks_pair", ["userId", "blockedId"])
    .execute();
  await db.schema.createIndex("blocks_blocked").on("blocks").column("blockedId").execute();

  // A retry that arrives after its message was deleted must not bring it back.
  await db.schema
    .createTable("deleted_messages")
    .addColumn("senderId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("sendId", text, (c) => c.notNull())
    .addColumn("conversationId", text, (c) => c.notNull().references("conversations.id").onDelete("cascade"))
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("deleted_messages_send", ["senderId", "sendId"])
    .execute();
  await db.schema.createIndex("deleted_messages_number").on("deleted_messages").columns(["conversationId", "number"]).execute();

  // As it is searched: lower case, composed.
  await db.schema
    .alterTable("messages")
    .addColumn("folded", text, (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.createIndex("messages_file").on("messages").column("fileId").where(sql.ref("fileId"), "is not", sql.lit(null)).execute();
  // The list is read from participants; the pair's own index serves the first of the two.
  await db.schema.dropIndex("conversations_first").execute();
  await db.schema.dropIndex("conversations_second").execute();
  await db.schema.createIndex("conversations_second").on("conversations").column("secondUserId").execute();
  await takeOver(db);
};

/** What conversations of before hold. */
async function takeOver(db: Kysely<unknown>): Promise<void> {
  await sql`update messages set folded = lower(message)`.execute(db);
  for (const [own, partner] of [
    ["firstUserId", "secondUserId"],
    ["secondUserId", "firstUserId"],
  ] as const)
    await sql`
      insert into participants ("userId", "partnerId", "conversationId", "lastNumber", "lastAt", "unreadCount", "readNumber", muted)
      select c.${sql.ref(own)}, c.${sql.ref(partner)}, c.id,
        (select max(m.number) from messages m where m."conversationId" = c.id),
        (select max(m."createdAt") from messages m where m."conversationId" = c.id),
        (select count(*) from messages m
          where m."conversationId" = c.id and m."receiverId" = c.${sql.ref(own)} and m."isRead" = false),
        coalesce((select max(m.number) from messages m
          where m."conversationId" = c.id and m."receiverId" = c.${sql.ref(own)} and m."isRead" = true), 0),
        false
      from conversations c`.execute(db);
}
