import { type RawBuilder, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import { jsonRows } from "#platform/database/json-rows.ts";
import { cutPage, isBeyond, readCursor } from "#platform/database/keyset.ts";
import { unreadNotifications } from "../bell/count.server.ts";
import type { UnreadCounts } from "../live.ts";
import { mustBeAllowed } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import { type ConversationPage, listPageSize, preview } from "./message.ts";

export async function listConversations(site: Site, viewer: Viewer, after?: string | null): Promise<ConversationPage> {
  mustBeAllowed(viewer, "read a conversation", viewer?.id);
  const from = readCursor(after, ["number", "text"]);
  const newest = site.db
    .selectFrom("participants as c")
    .innerJoin("messages as m", (join) => join.onRef("m.conversationId", "=", "c.conversationId").onRef("m.number", "=", "c.lastNumber"))
    .innerJoin("users as u", "u.id", "c.partnerId")
    .leftJoin("profiles as p", "p.userId", "c.partnerId")
    .select(["c.conversationId", "c.lastAt", "c.partnerId", "c.unreadCount", "c.muted", "m.senderId", "m.message", "m.fileId"])
    .select((eb) => ["p.profileImage", eb.fn.coalesce("p.userName", "u.name").as("name")])
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

/** A part of a query; the conditions are literally those of the index. */
export function unreadMessages(userId: string | RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sum("unreadCount"), 0) from participants
    where "userId" = ${userId} and muted = ${sql.lit(false)} and "unreadCount" > 0)`;
}

export async function unreadCount(site: Site, viewer: Viewer): Promise<number> {
  if (!viewer) return 0;
  const { rows } = await sql<{ unread: number | string }>`select ${unreadMessages(viewer.id)} as unread`.execute(site.db);
  return Number(rows[0]?.unread ?? 0);
}

/** By the database’s clock, as those of several processes may differ; in milliseconds. */
export function countedAt(engine: Engine): RawBuilder<number> {
  return engine === "sqlite" ? sql`unixepoch('subsec') * 1000` : sql`extract(epoch from statement_timestamp()) * 1000`;
}

/** One query counts for all members whose counts change in the same turn. */
export function countUnread(site: Site, memberId: string): Promise<UnreadCounts> {
  return site.memory.unreadCounts.add(memberId, async (gathered) => {
    const counts = await readUnreadCounts(
      site,
      gathered.map(({ item }) => item),
    );
    for (const [at, count] of counts.entries()) gathered[at]?.resolve(count);
  });
}

async function readUnreadCounts({ db, engine, now }: Site, memberIds: string[]): Promise<UnreadCounts[]> {
  const members = jsonRows(
    engine,
    { at: "integer", id: "text" },
    memberIds.map((id, at) => ({ at, id })),
  );
  const id = sql.ref("m.id");
  const { rows } = await sql<Record<"at" | keyof UnreadCounts, number | string>>`
    select m.at, ${unreadMessages(id)} as unread, ${unreadNotifications(id, now())} as notifications, ${countedAt(engine)} as "countedAt"
    from ${members} as m order by m.at`.execute(db);
  return rows.map(({ unread, notifications, countedAt }) => ({
    ...{ unread: Number(unread), notifications: Number(notifications), countedAt: Number(countedAt) },
  }));
}
