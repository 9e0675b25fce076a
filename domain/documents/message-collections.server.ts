import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import { contains } from "#platform/database/search/contains.ts";
import { fold } from "../fold.ts";
import { may } from "../permissions.ts";
import { attribute, attributes, byAge, type Collection, column, noRows, type Search } from "./collection.server.ts";

/** The text as a whole, ignoring case. Scans only the viewer's own messages. */
function holdsInMessages(engine: Engine, text: string): RawBuilder<SqlBool> {
  return contains(engine, sql.ref("messages.folded"), fold(text));
}

const inMessages: Search = {
  column: () => column("messages.folded"),
  candidates: () => undefined,
  ...{ find: holdsInMessages, contains: holdsInMessages, scansPerRow: () => 1 },
};
export const messages: Collection = {
  source: sql`messages left join files on files.id = messages."fileId"`,
  id: column("messages.id"),
  sequence: column("messages.createdAt"),
  createdAt: column("messages.createdAt"),
  updatedAt: column("messages.createdAt"),
  ownerId: column("messages.senderId"),
  isPublic: sql`false`,
  isOwnerOnly: column("messages.withheld"),
  tieBreakers: [column("messages.createdAt"), column("messages.id")],
  attributes: {
    ...attributes("text", "messages", ["senderId", "receiverId", "conversationId"]),
    message: { ...attribute("text", "messages.message"), search: inMessages },
    number: attribute("number", "messages.number"),
    isRead: attribute("boolean", "messages.isRead"),
    fileId: attribute("text", "messages.fileId"),
    fileName: attribute("text", "files.name"),
    fileSize: attribute("number", "files.size"),
    fileType: attribute("text", "files.type"),
  },
  selectiveAttributes: ["$id", "senderId", "receiverId", "conversationId"],
  rangeIndexedAttributes: [...byAge, "$id"],
  isOwn: true,
  readable(viewer) {
    if (!viewer || !may(viewer, "read a conversation", viewer.id)) return noRows;
    return sql<SqlBool>`(messages."senderId" = ${viewer.id} or (messages."receiverId" = ${viewer.id} and not messages.withheld))`;
  },
  mayReceive: (viewer, { ownerId, attributes }) =>
    [ownerId, attributes.receiverId].includes(viewer?.id ?? "") && may(viewer, "read a conversation", viewer?.id),
};

/** A member's conversations, while they have messages. */
export const conversations: Collection = {
  source: sql`participants
    inner join messages on messages."conversationId" = participants."conversationId" and messages.number = participants."lastNumber"
    left join profiles on profiles."userId" = participants."partnerId"`,
  id: column("participants.conversationId"),
  sequence: column("participants.lastAt"),
  createdAt: column("participants.lastAt"),
  updatedAt: column("participants.lastAt"),
  ownerId: column("participants.userId"),
  isPublic: sql`false`,
  tieBreakers: [column("participants.lastAt"), column("participants.conversationId")],
  attributes: {
    ...attributes("text", "participants", ["partnerId"]),
    partnerName: { type: "text", column: sql`coalesce(profiles."userName", '')` },
    lastMessageId: attribute("text", "messages.id"),
    lastMessage: attribute("text", "messages.message"),
    lastSenderId: attribute("text", "messages.senderId"),
    unreadCount: attribute("number", "participants.unreadCount"),
    muted: attribute("boolean", "participants.muted"),
  },
  selectiveAttributes: ["$id", "partnerId"],
  rangeIndexedAttributes: [...byAge, "$id"],
  isOwn: true,
  readable(viewer) {
    if (!viewer || !may(viewer, "read a conversation", viewer.id)) return noRows;
    return sql<SqlBool>`participants."userId" = ${viewer.id}`;
  },
  mayReceive: (viewer, { ownerId }) => viewer?.id === ownerId && may(viewer, "read a conversation", ownerId ?? ""),
};
