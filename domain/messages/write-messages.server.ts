import { type Selectable, sql } from "kysely";
import { jsonRows } from "#platform/database/json-rows.ts";
import type { ParticipantRow } from "#platform/database/schema.ts";
import { newId } from "#platform/ids.ts";
import { attachFile } from "../files/files.server.ts";
import { fold } from "../fold.ts";
import { pushDelayMs, queuePushes } from "../push/push-queue.server.ts";
import type { SiteTransaction } from "../site.ts";
import { type CheckedMessage, memberPair, unreadEmailDelayMs } from "./message.ts";

/** `withheld`: the receiver has blocked the sender. */
export type MessageRow = CheckedMessage & { withheld: boolean };

type NumberedRow = MessageRow & { id: string; conversationId: string; number: number; createdAt: number };

const messageColumns = {
  id: "text",
  conversationId: "text",
  number: "integer",
  sendId: "text",
  senderId: "text",
  receiverId: "text",
  message: "text",
  folded: "text",
  fileId: "text",
  createdAt: "bigint",
  withheld: "boolean",
} as const;

/** Takes as many statements for a batch as for one message. Each conversation numbers its messages without gaps. */
export async function writeMessages(tx: SiteTransaction, messages: MessageRow[]): Promise<NumberedRow[]> {
  for (const { fileId } of messages) if (fileId) await attachFile(tx, fileId);
  const numbered = await numberMessages(tx, messages);
  // Before the messages and ordered by id: a fixed lock order prevents deadlocks.
  const unread = await updateParticipants(tx, numbered);
  const rows = numbered.map((row) => ({ ...row, folded: fold(row.message) }));
  await sql`insert into messages
      (id, "conversationId", number, "sendId", "senderId", "receiverId", message, folded, "fileId", "createdAt", "isRead", withheld)
    select id, "conversationId", number, "sendId", "senderId", "receiverId", message, folded, "fileId", "createdAt", false, withheld
    from ${jsonRows(tx.engine, messageColumns, rows)} as r`.execute(tx.db);
  const delivered = numbered.filter(({ withheld }) => !withheld);
  await queuePushes(
    tx,
    delivered.map(({ receiverId, senderId }) => ({ userId: receiverId, kind: "message", key: senderId })),
    pushDelayMs.message,
  );
  for (const { id, senderId, receiverId, number, withheld } of numbered) {
    const counts = {
      sender: unread.get(participantKey(senderId, receiverId)) ?? 0,
      receiver: unread.get(participantKey(receiverId, senderId)) ?? 0,
    };
    tx.changed("message.created", { id, senderId, receiverId, number, withheld, unread: counts });
  }
  return numbered;
}

async function numberMessages(tx: SiteTransaction, messages: MessageRow[]): Promise<NumberedRow[]> {
  const now = tx.now();
  const pairs = new Map<string, { id: string; first: string; second: string; count: number; next: number }>();
  const pairOf = ({ senderId, receiverId }: MessageRow) => memberPair(senderId, receiverId);
  for (const message of messages) {
    const [first, second] = pairOf(message);
    const pair = pairs.get(`${first} ${second}`) ?? { id: newId(now), first, second, count: 0, next: 0 };
    pairs.set(`${first} ${second}`, { ...pair, count: pair.count + 1 });
  }
  const sorted = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, pair]) => pair);
  const columns = { id: "text", first: "text", second: "text", count: "integer" } as const;
  const { rows } = await sql<{ id: string; first: string; second: string; lastNumber: number }>`
    insert into conversations (id, "firstUserId", "secondUserId", "lastNumber", "updatedAt")
    select id, first, second, count, cast(${now} as bigint) from ${jsonRows(tx.engine, columns, sorted)} as r where true
    on conflict ("firstUserId", "secondUserId") do update set
      "lastNumber" = conversations."lastNumber" + excluded."lastNumber", "updatedAt" = excluded."updatedAt"
    returning id, "firstUserId" as first, "secondUserId" as second, "lastNumber"`.execute(tx.db);
  for (const { id, first, second, lastNumber } of rows) {
    const pair = pairs.get(`${first} ${second}`);
    if (pair) Object.assign(pair, { id, next: lastNumber - pair.count + 1 });
  }
  return messages.map((message) => {
    const pair = pairs.get(pairOf(message).join(" "));
    if (!pair || pair.next === 0) throw new Error("The conversation has no number");
    return { ...message, id: newId(now), conversationId: pair.id, number: pair.next++, createdAt: now };
  });
}

type NewParticipant = Omit<Selectable<ParticipantRow>, "readNumber" | "muted">;

const participantColumns = {
  userId: "text",
  partnerId: "text",
  conversationId: "text",
  lastNumber: "integer",
  lastAt: "bigint",
  unreadCount: "integer",
  emailDueAt: "bigint",
} as const;

const participantKey = (userId: string, partnerId: string) => `${userId} ${partnerId}`;

/** @returns unread counts by `participantKey`. */
async function updateParticipants(tx: SiteTransaction, numbered: NumberedRow[]): Promise<Map<string, number>> {
  const participants = new Map<string, NewParticipant>();
  const add = (userId: string, partnerId: string, side: Omit<NewParticipant, "userId" | "partnerId">) => {
    const before = participants.get(participantKey(userId, partnerId));
    participants.set(participantKey(userId, partnerId), {
      ...{ userId, partnerId, conversationId: side.conversationId },
      lastNumber: side.lastNumber ?? before?.lastNumber ?? null,
      lastAt: side.lastAt ?? before?.lastAt ?? null,
      unreadCount: side.unreadCount + (before?.unreadCount ?? 0),
      emailDueAt: side.emailDueAt ?? before?.emailDueAt ?? null,
    });
  };
  for (const { senderId, receiverId, conversationId, number, createdAt, withheld } of numbered) {
    const last = { conversationId, lastNumber: number, lastAt: createdAt };
    add(senderId, receiverId, { ...last, unreadCount: 0, emailDueAt: null });
    if (withheld) add(receiverId, senderId, { conversationId, lastNumber: null, lastAt: null, unreadCount: 0, emailDueAt: null });
    else add(receiverId, senderId, { ...last, unreadCount: 1, emailDueAt: createdAt + unreadEmailDelayMs });
  }
  const sorted = [...participants].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, side]) => side);
  // One email until all is read: only the first unread message sets `emailDueAt`.
  const { rows } = await sql<{ userId: string; partnerId: string; unreadCount: number }>`
    insert into participants
      ("userId", "partnerId", "conversationId", "lastNumber", "lastAt", "unreadCount", "emailDueAt", "readNumber", muted)
    select "userId", "partnerId", "conversationId", "lastNumber", "lastAt", "unreadCount", "emailDueAt", 0, false
    from ${jsonRows(tx.engine, participantColumns, sorted)} as r where true
    on conflict ("userId", "partnerId") do update set
      "lastNumber" = coalesce(excluded."lastNumber", participants."lastNumber"),
      "lastAt" = coalesce(excluded."lastAt", participants."lastAt"),
      "unreadCount" = participants."unreadCount" + excluded."unreadCount",
      "emailDueAt" = case when participants."unreadCount" = 0 and excluded."emailDueAt" is not null
        then excluded."emailDueAt" else participants."emailDueAt" end
    returning "userId", "partnerId", "unreadCount"`.execute(tx.db);
  return new Map(rows.map(({ userId, partnerId, unreadCount }) => [participantKey(userId, partnerId), unreadCount]));
}
