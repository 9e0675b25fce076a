import { type SqlBool, sql } from "kysely";
import { contains } from "#platform/database/search/contains.ts";
import { fold } from "../fold.ts";
import { namedUsers } from "../named-users.server.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { findOwnParticipant, shownInChats } from "./conversation.server.ts";
import { chatPageSize, type Message, type MessagePage, type Person, searchPageSize } from "./message.ts";

export type Partner = Person & { location: string; blocked: boolean; muted: boolean };

/** The other person, also without a conversation. @throws NotFound. */
export async function findPartner(site: Site, viewer: Viewer, partnerId: string): Promise<Partner> {
  requirePermission(viewer, "read a conversation", viewer?.id);
  const [person, own] = await Promise.all([
    namedUsers(site)
      .leftJoin("blocks as b", (join) => join.on("b.userId", "=", viewer.id).onRef("b.blockedId", "=", "u.id"))
      .select([shownInChats("location", site.now()), shownInChats("profileImage", site.now()), "b.userId as blockedBy"])
      .where("u.id", "=", partnerId)
      .executeTakeFirst(),
    findOwnParticipant(site, viewer.id, partnerId),
  ]);
  if (!person) throw new NotFound();
  const { name, profileImage, location, blockedBy } = person;
  return {
    ...{ id: partnerId, name: name || "User", profileImage, location: location ?? "" },
    blocked: blockedBy !== null,
    muted: Boolean(own?.muted),
  };
}

/** The newest before the number `before`, or the oldest after `after`; the newest by default. */
export type MessageRange = { before?: number | undefined; after?: number | undefined; limit?: number | undefined };

export async function readMessages(
  site: Site,
  viewer: Viewer,
  partnerId: string,
  { before, after, limit = chatPageSize }: MessageRange = {},
): Promise<MessagePage> {
  requirePermission(viewer, "read a conversation", viewer?.id);
  const state = await readState(site, viewer.id, partnerId);
  if (!state) return { messages: [], more: false, partnerRead: 0, lastNumber: 0 };
  let query = messagesOf(site, viewer.id, state.conversationId);
  if (after !== undefined) query = query.where("m.number", ">", after).orderBy("m.number");
  else query = (before === undefined ? query : query.where("m.number", "<", before)).orderBy("m.number", "desc");
  const rows = await query.limit(limit + 1).execute();
  const found = rows.slice(0, limit).map(messageOf);
  const { partnerRead, lastNumber } = state;
  return { messages: after === undefined ? found.reverse() : found, more: rows.length > limit, partnerRead, lastNumber };
}

function readState(site: Site, viewerId: string, partnerId: string) {
  return site.db
    .selectFrom("participants as own")
    .innerJoin("participants as other", (join) =>
      join.onRef("other.userId", "=", "own.partnerId").onRef("other.partnerId", "=", "own.userId"),
    )
    .innerJoin("conversations as c", "c.id", "own.conversationId")
    .select(["own.conversationId", "other.readNumber as partnerRead", "c.lastNumber"])
    .where("own.userId", "=", viewerId)
    .where("own.partnerId", "=", partnerId)
    .executeTakeFirst();
}

/** Withheld messages exist for their sender only. */
function existsFor(viewerId: string) {
  return sql<SqlBool>`(m."senderId" = ${viewerId} or not m.withheld)`;
}

function messagesOf(site: Site, viewerId: string, conversationId: string) {
  return site.db
    .selectFrom("messages as m")
    .leftJoin("files as f", "f.id", "m.fileId")
    .select(["m.id", "m.number", "m.sendId", "m.senderId", "m.message", "m.isRead", "m.createdAt"])
    .select(["f.id as fileId", "f.name as fileName", "f.type as fileType", "f.size as fileSize", "f.width", "f.height"])
    .where("m.conversationId", "=", conversationId)
    .where(existsFor(viewerId));
}

type Row = Awaited<ReturnType<ReturnType<typeof messagesOf>["execute"]>>[number];

function messageOf({ fileId, fileName, fileType, fileSize, width, height, isRead, ...message }: Row): Message {
  const file = fileId && {
    ...{ id: fileId, name: fileName ?? "", type: fileType ?? "", size: fileSize ?? 0 },
    ratio: width && height ? width / height : null,
  };
  return { ...message, isRead: Boolean(isRead), file: file || null };
}

/** They may be 5 MB of text, all compared. */
const searchScanRows = 1_000;

export type MessageSearch = { text: string; before?: number | undefined };

/** Oldest first. `next` continues the search; null at the beginning of the chat. */
export type FoundMessages = { messages: Message[]; next: number | null };

/** The newest 50 messages before a number that contain the text, ignoring case. */
export async function searchMessages(
  site: Site,
  viewer: Viewer,
  partnerId: string,
  { text, before = Number.MAX_SAFE_INTEGER }: MessageSearch,
): Promise<FoundMessages> {
  requirePermission(viewer, "read a conversation", viewer?.id);
  const foldedTerm = fold(text.trim()).slice(0, 200);
  const own = await findOwnParticipant(site, viewer.id, partnerId);
  if (!own || foldedTerm === "") return { messages: [], next: null };
  const start = Math.min(before, (own.lastNumber ?? 0) + 1);
  const end = start - searchScanRows;
  const rows = await messagesOf(site, viewer.id, own.conversationId)
    .where("m.number", "<", start)
    .where("m.number", ">=", end)
    .where(contains(site.engine, sql.ref("m.folded"), foldedTerm))
    .orderBy("m.number", "desc")
    .limit(searchPageSize)
    .execute();
  const reached = rows.length === searchPageSize ? (rows.at(-1)?.number ?? 1) : end;
  return { messages: rows.map(messageOf).reverse(), next: reached > 1 ? reached : null };
}
