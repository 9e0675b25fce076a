import { sql } from "kysely";
import { matchingMembers } from "#platform/database/search/member-search.ts";
import type { AuditAction } from "../audit/audit.ts";
import { recordAccess } from "../audit/record-access.server.ts";
import { readCounters } from "../counters/counters.server.ts";
import { fold } from "../fold.ts";
import { excerpt } from "../format.ts";
import { namedUsers } from "../named-users.server.ts";
import { type NumberedPage, type PageWindow, pageOfAll, planPage, rowsOfPage } from "../numbered-pages.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import type { AdminMessage, AdminMessageDetails, MessageCounts, MessageSort } from "./admin-messages.ts";

export type MessageQuery = {
  search: string;
  /** Sent or received by this member; all when empty. */
  userId: string;
  sort: MessageSort;
} & NumberedPage;

export type AdminMessagePage = { messages: AdminMessage[]; counts: MessageCounts; page: number; isPart: boolean };

/** Characters that fit a row of the list. */
const listedTextLength = 120;

/** A search scans at most this many: private messages have no search index. */
export const searchScanRows = 20_000;

/** A page of all members' messages, for administrators. Rows show text, so the audit log has each page and search. */
export async function listAllMessages(site: Site, viewer: Viewer, listing: MessageQuery): Promise<AdminMessagePage> {
  requirePermission(viewer, "read private messages");
  await recordAccess(site, viewer, describeListing(listing));
  if (listing.search.trim() !== "") return findMessages(site, listing);
  const counts = listing.userId ? await countOf(site, listing.userId) : await countAll(site);
  const pageWindow = await planPage(listing, counts.total, (id) => findPosition(site, id));
  const rows = rowsOfPage((await positions(site, { ...listing, ...pageWindow })).slice(pageWindow.skip), pageWindow);
  return { messages: await readMessages(site, idsOf(rows)), counts, page: pageWindow.page, isPart: false };
}

/** Members that a filter may mean: the one with that id, or up to ten by name. */
export async function findCorrespondents(site: Site, viewer: Viewer, nameOrId: string): Promise<{ id: string; name: string }[]> {
  requirePermission(viewer, "read private messages");
  const members = namedUsers(site);
  const one = await members.where("u.id", "=", nameOrId).executeTakeFirst();
  if (one) return [one];
  const found = matchingMembers(site.engine, nameOrId, 10);
  return members.where(sql<boolean>`u.id in (select "userId" from (${found}) as found)`).orderBy("name").limit(10).execute();
}

function describeListing({ search, userId, sort, page }: MessageQuery) {
  const words = search.trim();
  const after = { ...(words && { search: words }), ...(userId && { userId }), sort, page };
  const action: AuditAction = words ? "messages.searched" : "messages.listed";
  return { action, subject: "messages", after };
}

async function countAll(site: Site): Promise<MessageCounts> {
  const { messages: total, unread, correspondents } = await readCounters(site);
  return { total, read: total - unread, unread, people: correspondents };
}

async function countOf({ db }: Site, userId: string): Promise<MessageCounts> {
  const { rows } = await sql<{ sent: number; received: number; unread: number; partners: number }>`select
    coalesce((select "messagesSent" from member_counters where "userId" = ${userId}), 0) as sent,
    (select count(*) from messages where "receiverId" = ${userId} and not withheld) as received,
    (select coalesce(sum("unreadCount"), 0) from participants where "userId" = ${userId}) +
      (select coalesce(sum("unreadCount"), 0) from participants where "partnerId" = ${userId}) as unread,
    coalesce((select chats from member_counters where "userId" = ${userId}), 0) as partners`.execute(db);
  const { sent = 0, received = 0, unread = 0, partners = 0 } = rows[0] ?? {};
  const total = Number(sent) + Number(received);
  return { total, read: total - Number(unread), unread: Number(unread), people: Number(partners) > 0 ? Number(partners) + 1 : 0 };
}

type SortPosition = { createdAt: number; id: string };

async function findPosition({ db }: Site, id: string): Promise<SortPosition | undefined> {
  return db.selectFrom("messages").select(["createdAt", "id"]).where("id", "=", id).executeTakeFirst();
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

type MessageScan = { userId: string; sort: MessageSort } & Pick<PageWindow<SortPosition>, "backwards" | "from" | "take">;

/** Ordered positions from a message on, including it only forwards. Sent and received messages have an index each. */
async function positions({ db }: Site, { userId, sort, backwards, from, take }: MessageScan): Promise<SortPosition[]> {
  const isDescending = (sort === "newest") !== backwards;
  const side = `${isDescending ? "<" : ">"}${backwards ? "" : "="}` as "<" | "<=" | ">" | ">=";
  const order = isDescending ? "desc" : "asc";
  const of = async (column?: "senderId" | "receiverId") => {
    let query = db.selectFrom("messages").select(["createdAt", "id"]).where("withheld", "=", false);
    if (column) query = query.where(column, "=", userId);
    if (from) query = query.where((eb) => eb(eb.refTuple("createdAt", "id"), side, eb.tuple(from.createdAt, from.id)));
    return query.orderBy("createdAt", order).orderBy("id", order).limit(take).execute();
  };
  const found = userId === "" ? await of() : (await Promise.all([of("senderId"), of("receiverId")])).flat();
  const sign = isDescending ? -1 : 1;
  return found.sort((a, b) => sign * (a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))).slice(0, take);
}

async function findMessages(site: Site, { search, userId, sort, ...paging }: MessageQuery): Promise<AdminMessagePage> {
  const scanned = await positions(site, { userId, sort, backwards: false, from: undefined, take: searchScanRows + 1 });
  const isPart = scanned.length > searchScanRows;
  const last = scanned[Math.min(scanned.length, searchScanRows) - 1];
  if (!last) return { messages: [], counts: { total: 0, read: 0, unread: 0, people: 0 }, page: 1, isPart };
  const pattern = `%${fold(search.trim()).replace(/[\\%_]/g, "\\$&")}%`;
  const order = sort === "newest" ? "desc" : "asc";
  let query = site.db
    .selectFrom("messages")
    .select(["id", "isRead", "senderId", "receiverId"])
    .where((eb) => eb(eb.refTuple("createdAt", "id"), sort === "newest" ? ">=" : "<=", eb.tuple(last.createdAt, last.id)))
    .where("withheld", "=", false)
    .where(sql<boolean>`folded like ${pattern} escape '\\'`);
  if (userId) query = query.where((eb) => eb.or([eb("senderId", "=", userId), eb("receiverId", "=", userId)]));
  const found = await query.orderBy("createdAt", order).orderBy("id", order).execute();
  const unread = found.filter(({ isRead }) => !isRead).length;
  const people = new Set(found.flatMap(({ senderId, receiverId }) => [senderId, receiverId])).size;
  const counts = { total: found.length, read: found.length - unread, unread, people };
  const { page, rows } = pageOfAll(found, paging);
  return { messages: await readMessages(site, idsOf(rows)), counts, page, isPart };
}

async function readMessages(site: Site, ids: string[]): Promise<AdminMessage[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf(site).where("messages.id", "in", ids).execute();
  const byId = new Map(rows.map(({ message, ...row }) => [row.id, { ...row, text: excerpt(message, listedTextLength) }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function rowsOf({ db }: Site) {
  return db
    .selectFrom("messages")
    .leftJoin("profiles as sender", "sender.userId", "messages.senderId")
    .leftJoin("profiles as receiver", "receiver.userId", "messages.receiverId")
    .leftJoin("files", "files.id", "messages.fileId")
    .select(["messages.id", "messages.senderId", "messages.receiverId", "messages.message", "messages.isRead", "messages.createdAt"])
    .select(["sender.userName as senderName", "receiver.userName as receiverName", "files.name as fileName"]);
}

/** Logged in the audit log before the text is shown. @throws NotFound. */
export async function readMessage(site: Site, viewer: Viewer, id: string): Promise<AdminMessageDetails> {
  requirePermission(viewer, "read private messages");
  const row = await rowsOf(site)
    .select(["messages.fileId", "files.size as fileSize", "files.type as fileType", "messages.conversationId", "messages.number"])
    .where("messages.id", "=", id)
    .where("messages.withheld", "=", false)
    .executeTakeFirst();
  if (!row) throw new NotFound();
  await recordAccess(site, viewer, { action: "message.viewed", subject: `message:${id}` });
  const { message, fileId, fileName, fileSize, fileType, ...rest } = row;
  const file = fileId ? { id: fileId, name: fileName ?? "", size: Number(fileSize ?? 0), type: fileType ?? "" } : null;
  return { ...rest, fileName, text: message, file };
}
