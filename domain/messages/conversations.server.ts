import { type RawBuilder, sql } from "kysely";
import { cutPage, isBeyond, readCursor } from "#platform/database/keyset.ts";
import { requirePermission } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import { shownInChats } from "./conversation.server.ts";
import { type ConversationPage, listPageSize, preview } from "./message.ts";

export async function listConversations(site: Site, viewer: Viewer, after?: string | null): Promise<ConversationPage> {
  requirePermission(viewer, "read a conversation", viewer?.id);
  const from = readCursor(after, ["number", "text"]);
  const newest = site.db
    .selectFrom("participants as c")
    .innerJoin("messages as m", (join) => join.onRef("m.conversationId", "=", "c.conversationId").onRef("m.number", "=", "c.lastNumber"))
    .innerJoin("users as u", "u.id", "c.partnerId")
    .leftJoin("profiles as p", "p.userId", "c.partnerId")
    .select(["c.conversationId", "c.lastAt", "c.partnerId", "c.unreadCount", "c.muted", "m.senderId", "m.message", "m.fileId"])
    .select((eb) => [shownInChats("profileImage", site.now()), eb.fn.coalesce("p.userName", "u.name").as("name")])
    .where("c.userId", "=", viewer.id);
  const rows = await (from
    ? newest.where(isBeyond([sql.ref("c.lastAt"), sql.ref("c.conversationId")], from))
    : newest.where("c.lastAt", "is not", null)
  )
    .orderBy("c.lastAt", "desc")
    .orderBy("c.conversationId", "desc")
    .limit(listPageSize + 1)
    .execute();
  const { rows: shown, next } = cutPage(rows, listPageSize, (row) => [Number(row.lastAt), row.conversationId]);
  const conversations = shown.map((row) => ({
    partner: { id: row.partnerId, name: row.name || "User", profileImage: row.profileImage },
    lastMessage: {
      senderId: row.senderId,
      preview: preview(row.message),
      isFile: row.fileId !== null,
      createdAt: Number(row.lastAt),
    },
    unreadCount: row.unreadCount,
    muted: Boolean(row.muted),
  }));
  return { conversations, next };
}

/** An SQL expression whose conditions match the partial index. */
export function unreadMessages(userId: string | RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sum("unreadCount"), 0) from participants
    where "userId" = ${userId} and muted = ${sql.lit(false)} and "unreadCount" > 0)`;
}
