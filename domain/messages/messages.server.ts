import { isDuplicate } from "#platform/database/errors.ts";
import { newId } from "#platform/ids.ts";
import { attachFile } from "../files/files.server.ts";
import { fold } from "../fold.ts";
import { mustBeAllowed } from "../permissions.ts";
import { Conflict, Invalid } from "../refusals.ts";
import { mustBeSwitchedOn } from "../settings/features.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { findOwnSide, pair, readBlocks } from "./conversation.server.ts";
import { limitMessages, limitStrangers } from "./flood.server.ts";
import { rememberFresh } from "./fresh.server.ts";
import { messageMax, messageTexts, type SentMessage } from "./message.ts";
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
  if (message.length > messageMax) throw new Invalid(`A message can’t be longer than ${messageMax} characters`);
  return deliver(site, viewer, { to, message, sendId, fileId: null });
}

export type Draft = { to: string; message: string; sendId: string; fileId: string | null };

/** @throws Invalid, and what is in the way (`mustBeWelcome`). */
export async function deliver(site: Site, viewer: Member, draft: Draft): Promise<SentMessage> {
  if (draft.sendId === "" || draft.sendId.length > 100) throw new Invalid("A message needs its own id");
  const sent = await findSent(site, viewer.id, draft.sendId);
  if (sent) return sent;
  const { known, withheld } = await mustBeWelcome(site, viewer, draft.to);
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
export async function mustBeWelcome(site: Site, viewer: Member, to: string): Promise<{ known: boolean; withheld: boolean }> {
  mustBeSwitchedOn(site, "messages");
  if (to === viewer.id) throw new Invalid("You can’t message yourself");
  const [blocks, own] = await Promise.all([readBlocks(site, viewer.id, to), findOwnSide(site, viewer.id, to)]);
  if (blocks.byViewer) throw new Conflict(messageTexts.unblockFirst);
  return { known: own !== undefined, withheld: blocks.byPartner };
}

type Written = Draft & { withheld: boolean };

async function write(site: Site, tx: SiteTransaction, senderId: string, written: Written): Promise<SentMessage> {
  const { to, message, sendId, fileId, withheld } = written;
  const { conversationId, number } = await nextNumber(tx, senderId, to);
  const [id, createdAt] = [newId(tx.now()), tx.now()];
  if (fileId) await attachFile(tx, fileId);
  const parts = { id, conversationId, number, sendId, senderId, receiverId: to, message, fileId, createdAt, withheld };
  // Before the message, and in the order of ids: whoever counts for several people locks them in one order.
  await addToBothSides(tx, { conversationId, number, createdAt, senderId, receiverId: to, withheld });
  await tx.db
    .insertInto("messages")
    .values({ ...parts, isRead: false, folded: fold(message) })
    .execute();
  tx.changed("message.created", { id, senderId, receiverId: to, number, withheld });
  // Nobody learns of it, and so nobody looks for it, unless it is committed. Files are looked up where they are needed.
  if (!fileId) rememberFresh(site, { id, number, sendId, senderId, message, isRead: false, createdAt, file: null });
  return { id, number, createdAt };
}

/** Also finds what was deleted since, so that a late retry does not bring it back. */
async function findSent(site: Site, senderId: string, sendId: string): Promise<SentMessage | undefined> {
  const ofSender = <Table extends "messages" | "deleted_messages">(table: Table) =>
    site.db
      .selectFrom(table as "messages")
      .select(["id", "number", "createdAt"])
      .where("senderId", "=", senderId)
      .where("sendId", "=", sendId);
  return ofSender("messages").unionAll(ofSender("deleted_messages")).executeTakeFirst();
}

async function nextNumber(tx: SiteTransaction, one: string, other: string): Promise<{ conversationId: string; number: number }> {
  const [firstUserId, secondUserId] = pair(one, other);
  return tx.db
    .insertInto("conversations")
    .values({ id: newId(tx.now()), firstUserId, secondUserId, lastNumber: 1, updatedAt: tx.now() })
    .onConflict((conflict) =>
      conflict.columns(["firstUserId", "secondUserId"]).doUpdateSet((eb) => ({
        lastNumber: eb("conversations.lastNumber", "+", 1),
        updatedAt: tx.now(),
      })),
    )
    .returning(["id as conversationId", "lastNumber as number"])
    .executeTakeFirstOrThrow();
}

type Numbered = { conversationId: string; number: number; createdAt: number; senderId: string; receiverId: string; withheld: boolean };

async function addToBothSides(tx: SiteTransaction, { conversationId, number, createdAt, ...people }: Numbered): Promise<void> {
  const { senderId, receiverId, withheld } = people;
  const shared = { conversationId, lastNumber: number, lastAt: createdAt, readNumber: 0, muted: false };
  const untouched = { lastNumber: null, lastAt: null, unreadCount: 0, emailDueAt: null };
  const arrived = { unreadCount: 1, emailDueAt: createdAt + unreadEmailDelayMs };
  const sides = [
    { ...shared, userId: senderId, partnerId: receiverId, unreadCount: 0, emailDueAt: null },
    { ...shared, userId: receiverId, partnerId: senderId, ...(withheld ? untouched : arrived) },
  ].sort((one, other) => (one.userId < other.userId ? -1 : 1));
  await tx.db
    .insertInto("participants")
    .values(sides)
    .onConflict((conflict) =>
      conflict.columns(["userId", "partnerId"]).doUpdateSet((eb) => ({
        lastNumber: eb.fn.coalesce("excluded.lastNumber", "participants.lastNumber"),
        lastAt: eb.fn.coalesce("excluded.lastAt", "participants.lastAt"),
        unreadCount: eb("participants.unreadCount", "+", eb.ref("excluded.unreadCount")),
        // One email until all is read: only the first that is unread makes one due.
        emailDueAt: eb
          .case()
          .when(eb.and([eb("participants.unreadCount", "=", eb.lit(0)), eb("excluded.emailDueAt", "is not", null)]))
          .then(eb.ref("excluded.emailDueAt"))
          .else(eb.ref("participants.emailDueAt"))
          .end(),
      })),
    )
    .execute();
}
