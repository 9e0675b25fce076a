import { sql } from "kysely";
import { shownInChats } from "../messages/conversation.server.ts";
import type { Member, Site } from "../site.ts";
import { entryId } from "./entry.ts";
import { isBefore, type KeyedEntry, type SourcePage } from "./source.server.ts";

/** Conversations with unread messages; opening one marks them as read. The conditions are literally those of the index. */
export async function readUnreadConversations(site: Site, viewer: Member, page: SourcePage): Promise<KeyedEntry[]> {
  if (!site.settings.enableMessages) return [];
  const before = isBefore(page, "c.lastAt", "c.conversationId", true);
  const query = site.db
    .selectFrom("participants as c")
    // An outer join, so that SQLite begins with the conversations.
    .leftJoin("users as u", "u.id", "c.partnerId")
    .leftJoin("profiles as p", "p.userId", "c.partnerId")
    .select(["c.conversationId", "c.lastAt", "c.partnerId", "c.unreadCount"])
    .select((eb) => [shownInChats("profileImage", site.now()), eb.fn.coalesce("p.userName", "u.name").as("name")])
    .where("c.userId", "=", viewer.id)
    .where("c.muted", "=", sql.lit(false))
    .where("c.unreadCount", ">", sql.lit(0));
  const rows = await (before ? query.where(before) : query)
    .orderBy("c.lastAt", "desc")
    .orderBy("c.conversationId", "desc")
    .limit(page.limit)
    .execute();
  return rows.map(({ conversationId, lastAt, partnerId, unreadCount, name, profileImage }) => ({
    key: conversationId,
    entry: {
      ...{ kind: "message", id: entryId("message", partnerId), at: Number(lastAt), isRead: false },
      ...{ partner: { id: partnerId, name: name ?? "", profileImage }, count: Number(unreadCount) },
    },
  }));
}
