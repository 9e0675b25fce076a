import { sql } from "kysely";
import { isDuplicate } from "#platform/database/errors.ts";
import { newId } from "#platform/ids.ts";
import { attachFile } from "../files/files.server.ts";
import { fold } from "../fold.ts";
import { mustBeAllowed } from "../permissions.ts";
import { pushDelayMs, queuePush } from "../push/push-queue.server.ts";
import { Conflict, Invalid } from "../refusals.ts";
import { requireFeature } from "../settings/features.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { memberPair, readBlocks } from "./conversation.server.ts";
import { limitMessages, limitStrangers } from "./flood.server.ts";
import { rememberFresh } from "./fresh.server.ts";
import { messageMaxLength, messageTexts, type SentMessage } from "./message.ts";
import { unreadEmailDelayMs } from "./message-emails.server.ts";

/** `sendId` is made by the sender: sending again with the same one is the same message. */
export type NewMessage = { to: string; text: string; sendId: string };

export async function sendMessage(site: Site, viewer: Viewer, message: NewMessage): Promise<string> {
  return (await postMessage(site, viewer, message)).id;
}

/**
 * Sends a private message. The conversation of the two people numbers its messages without gaps; a text is trimmed.
 * Where the other person has blocked the sender it is withheld: it exists for its sender only, who is not told so.
 * @throws Invalid for a blank or endless text, NotFound when there is nobody of that id, Conflict when the sender has blocked them,
 * TooMany for a flood.
 */
export async function postMessage(site: Site, viewer: Viewer, { to, text, sendId }: NewMessage): Promise<SentMessage> {
  mustBeAllowed(viewer, "send a message");
  const message = text.trim();
  if (message === "") throw new Invalid("A message can’t be empty");
  if (message.length > messageMaxLength) throw new Invalid(messageTexts.tooLong);
  return deliver(site, viewer, { to, message, sendId, fileId: null });
}

export type Draft = { to: string; message: string; sendId: string; fileId: string | null };

/** @throws Invalid, and what is in the way (`mustBeAbleToMessage`). */
export async function deliver(site: Site, viewer: Member, draft: Draft): Promise<SentMessage> {
  if (draft.sendId === "" || draft.sendId.length > 100) throw new Invalid("A message needs its own id");
  const sent = await findSent(site, viewer.id, draft.sendId);
  if (sent) return sent;
  const { known, withheld } = await mustBeAbleToMessage(site, viewer, draft.to);
  limitMessages(site, viewer.id);
  if (!known) await limitStrangers(site, viewer.id);
  return transaction(site, (tx) => write(site, tx, viewer.id, { ...draft, withheld })).catch(async (error) => {
    // Sent twice at the same moment: neither saw the other, and the later one met the same id.
    const sent = isDuplicate(error) ? await findSent(site, viewer.id, draft.sendId) : undefined;
    if (!sent) throw error;
    return sent;
  });
}

/**
 * Everything but a flood that can be in the way of a message to someone; of a file it is asked before its bytes are read.
 * `known`: the two have written each other before. `withheld`: the other one has blocked the viewer.
 */
export async function mustBeAbleToMessage(site: Site, viewer: Member, to: string): Promise<{ known: boolean; withheld: boolean }> {
  requireFeature(site, "messages");
  if (to === viewer.id) throw new Invalid("You can’t message yourself");
  const { byViewer, byPartner, known } = await readBlocks(site, viewer.id, to);
  if (byViewer) throw new Conflict(messageTexts.unblockFirst);
  return { known, withheld: byPartner };
}

type WrittenMessage = Draft & { withheld: boolean };

async function write(site: Site, tx: SiteTransaction, senderId: string, written: WrittenMessage): Promise<SentMessage> {
  const { to, message, sendId, fileId, withheld } = written;
  const { conversationId, number } = await nextNumber(tx, senderId, to);
  const [id, createdAt] = [newId(tx.now()), tx.now()];
  if (fileId) await attachFile(tx, fileId);
  // Before the message, and in the order of ids: whoever counts for several people locks them in one order.
  const unread = await addToBothSides(tx, { conversationId, number, createdAt, senderId, receiverId: to, withheld });
  await sql`
    insert into messages
      (id, "conversationId", number, "sendId", "senderId", "receiverId", message, folded, "fileId", "createdAt", "isRead", withheld)
    values (${id}, ${conversationId}, ${number}, ${sendId}, ${senderId}, ${to}, ${message}, ${fold(message)}, ${fileId}, ${createdAt},
      false, ${withheld})`.execute(tx.db);
  if (!withheld) await queuePush(tx, to, { kind: "message", key: senderId }, pushDelayMs.message);
  tx.changed("message.created", { id, senderId, receiverId: to, number, withheld, unread });
  // Nobody learns of it, and so nobody looks for it, unless it is committed. Files are looked up where they are needed.
  if (!fileId) rememberFresh(site, { id, number, sendId, senderId, message, isRead: false, createdAt, file: null });
  return { id, number, createdAt };
}

/** Also finds what was deleted since, so that a late retry does not bring it back. */
async function findSent({ db }: Site, senderId: string, sendId: string): Promise<SentMessage | undefined> {
  const { rows } = await sql<SentMessage>`
    select id, number, "createdAt" from messages where "senderId" = ${senderId} and "sendId" = ${sendId}
    union all
    select id, number, "createdAt" from deleted_messages where "senderId" = ${senderId} and "sendId" = ${sendId}`.execute(db);
  return rows[0];
}

// Written out, as all that a message costs: building these statements anew took as long as running them.
async function nextNumber(tx: SiteTransaction, one: string, other: string): Promise<{ conversationId: string; number: number }> {
  const [first, second] = memberPair(one, other);
  const { rows } = await sql<{ conversationId: string; number: number }>`
    insert into conversations (id, "firstUserId", "secondUserId", "lastNumber", "updatedAt")
    values (${newId(tx.now())}, ${first}, ${second}, 1, ${tx.now()})
    on conflict ("firstUserId", "secondUserId")
      do update set "lastNumber" = conversations."lastNumber" + 1, "updatedAt" = excluded."updatedAt"
    returning id as "conversationId", "lastNumber" as number`.execute(tx.db);
  if (!rows[0]) throw new Error("The conversation has no number");
  return rows[0];
}

type NumberedMessage = {
  conversationId: string;
  number: number;
  createdAt: number;
  senderId: string;
  receiverId: string;
  withheld: boolean;
};

/** @returns how many messages of the conversation wait for each of the two now. */
async function addToBothSides(tx: SiteTransaction, { conversationId, number, createdAt, ...people }: NumberedMessage) {
  const { senderId, receiverId, withheld } = people;
  const sender = [senderId, receiverId, number, createdAt, 0, null] as const;
  const receiver = withheld
    ? ([receiverId, senderId, null, null, 0, null] as const)
    : ([receiverId, senderId, number, createdAt, 1, createdAt + unreadEmailDelayMs] as const);
  const sides = [sender, receiver].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = sides.map((side) => sql`(${sql.join(side)}, ${conversationId}, 0, false)`);
  // One email until all is read: only the first that is unread makes one due.
  const { rows: after } = await sql<{ userId: string; unreadCount: number }>`
    insert into participants
      ("userId", "partnerId", "lastNumber", "lastAt", "unreadCount", "emailDueAt", "conversationId", "readNumber", muted)
    values ${sql.join(rows)}
    on conflict ("userId", "partnerId") do update set
      "lastNumber" = coalesce(excluded."lastNumber", participants."lastNumber"),
      "lastAt" = coalesce(excluded."lastAt", participants."lastAt"),
      "unreadCount" = participants."unreadCount" + excluded."unreadCount",
      "emailDueAt" = case when participants."unreadCount" = 0 and excluded."emailDueAt" is not null
        then excluded."emailDueAt" else participants."emailDueAt" end
    returning "userId", "unreadCount"`.execute(tx.db);
  const unreadOf = (id: string) => after.find(({ userId }) => userId === id)?.unreadCount ?? 0;
  return { sender: unreadOf(senderId), receiver: unreadOf(receiverId) };
}
