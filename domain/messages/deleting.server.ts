import { recordUnlessOwn } from "../audit/audit.server.ts";
import type { RemovedMessages } from "../changes.ts";
import { describeConversation, describeRemoved } from "../documents/live-documents.server.ts";
import { detachFile, discardAfterCommit, discardFiles } from "../files/files.server.ts";
import { may, requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { lockConversation } from "./conversation.server.ts";
import { removeCachedMessages } from "./messages.server.ts";

type DeletedMessage = {
  id: string;
  number: number;
  sendId: string;
  senderId: string;
  receiverId: string;
  fileId: string | null;
  isRead: boolean;
  createdAt: number;
  withheld: boolean;
};

const columns = ["id", "number", "sendId", "senderId", "receiverId", "fileId", "isRead", "createdAt", "withheld"] as const;

/**
 * Deletes a message for both people. Allowed for both, for administrators and, if it was reported, for moderators. The audit log gets their
 * `reason` but not the text. Idempotent. @throws NotFound also for other viewers.
 */
export async function deleteMessage(site: Site, viewer: Viewer, id: string, { reason }: { reason?: string } = {}): Promise<void> {
  requirePermission(viewer, "read a conversation", viewer?.id);
  const found = await site.db.selectFrom("messages").select(["senderId", "receiverId", "withheld"]).where("id", "=", id).executeTakeFirst();
  if (!found || (found.withheld && viewer.id !== found.senderId)) {
    if (await wasDeleted(site, viewer.id, id)) return;
    throw new NotFound();
  }
  const { senderId, receiverId, withheld } = found;
  const owner = viewer.id === receiverId ? receiverId : senderId;
  if (!may(viewer, "delete a message", owner) && !(may(viewer, "handle reports") && (await isReported(site, id)))) throw new NotFound();
  await transaction(site, async (tx) => {
    const conversation = await lockConversation(tx, senderId, receiverId);
    if (!conversation) return;
    const rows = await tx.db.selectFrom("messages").select(columns).where("id", "=", id).execute();
    const between = { senderId, receiverId };
    if (rows.length > 0)
      await recordUnlessOwn(tx, viewer, owner, {
        ...{ action: "message.deleted", subject: `message:${id}`, before: between },
        ...(reason !== undefined && { after: { reason } }),
      });
    const removed = await remove(tx, conversation.id, rows);
    discardAfterCommit(tx, filesOf(rows));
    if (rows[0]) tx.changed("message.deleted", { senderId, receiverId, number: rows[0].number, withheld, ...removed });
  });
}

async function isReported({ db }: Site, id: string): Promise<boolean> {
  const report = db.selectFrom("reports").select("id").where("kind", "=", "message").where("subjectId", "=", id);
  return (await report.limit(1).executeTakeFirst()) !== undefined;
}

async function wasDeleted(site: Site, userId: string, id: string): Promise<boolean> {
  const row = await site.db
    .selectFrom("deleted_messages as d")
    .innerJoin("participants as p", "p.conversationId", "d.conversationId")
    .select("d.id")
    .where("d.id", "=", id)
    .where("p.userId", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

const messagesPerBatch = 1000;

/** Deletes the current messages of a chat for both people, in short transactions. Messages that arrive meanwhile stay. */
export async function deleteChat(site: Site, viewer: Viewer, partnerId: string): Promise<void> {
  requirePermission(viewer, "read a conversation", viewer?.id);
  let upTo: number | undefined;
  const files: string[] = [];
  for (let more = true; more; ) {
    const removed = await transaction(site, async (tx) => {
      const conversation = await lockConversation(tx, viewer.id, partnerId);
      if (!conversation) return 0;
      upTo ??= conversation.lastNumber;
      const rows = await tx.db
        .selectFrom("messages")
        .select(columns)
        .where("conversationId", "=", conversation.id)
        .where("number", "<=", upTo)
        .orderBy("number")
        .limit(messagesPerBatch)
        .execute();
      const gone = await remove(tx, conversation.id, rows);
      files.push(...filesOf(rows));
      const last = rows.at(-1);
      const members = [
        { userId: viewer.id, partnerId },
        { userId: partnerId, partnerId: viewer.id },
      ];
      if (last) tx.changed("chat.deleted", { members, number: last.number, ...gone });
      return rows.length;
    });
    more = removed === messagesPerBatch;
  }
  // Once, not after each batch, each of which could wait for a store that is down.
  await discardFiles(site, files);
}

function filesOf(rows: DeletedMessage[]): string[] {
  return rows.flatMap(({ fileId }) => fileId ?? []);
}

/** @returns the records as API clients saw them. */
async function remove(tx: SiteTransaction, conversationId: string, rows: DeletedMessage[]): Promise<RemovedMessages> {
  if (rows.length === 0) return { messages: [], conversations: [] };
  const ids = rows.map(({ id }) => id);
  const messages = await describeRemoved(tx, "messages", ids);
  const before = await describeConversation(tx, conversationId);
  const marks = rows.map(({ id, number, sendId, senderId, createdAt }) => ({ id, number, sendId, senderId, createdAt, conversationId }));
  await tx.db.insertInto("deleted_messages").values(marks).execute();
  for (const fileId of filesOf(rows)) await detachFile(tx, fileId);
  const numbers = rows.map(({ number }) => number);
  await tx.db
    .deleteFrom("messages")
    .where("conversationId", "=", conversationId)
    .where("number", ">=", Math.min(...numbers))
    .where("number", "<=", Math.max(...numbers))
    .execute();
  await recount(tx, conversationId, rows);
  tx.afterCommit((site) => removeCachedMessages(site, ids));
  const left = (await describeConversation(tx, conversationId)).map(({ $ownerId }) => $ownerId);
  return { messages, conversations: before.filter(({ $ownerId }) => !left.includes($ownerId)) };
}

async function recount(tx: SiteTransaction, conversationId: string, deleted: DeletedMessage[]): Promise<void> {
  for (const userId of new Set(deleted.flatMap(({ senderId, receiverId }) => [senderId, receiverId].sort()))) {
    const last = await tx.db
      .selectFrom("messages")
      .select(["number", "createdAt"])
      .where("conversationId", "=", conversationId)
      .where((eb) => eb.or([eb("senderId", "=", userId), eb("withheld", "=", false)]))
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    const unread = deleted.filter(({ receiverId, isRead, withheld }) => receiverId === userId && !isRead && !withheld).length;
    await tx.db
      .updateTable("participants")
      .set((eb) => ({ lastNumber: last?.number ?? null, lastAt: last?.createdAt ?? null, unreadCount: eb("unreadCount", "-", unread) }))
      .where("conversationId", "=", conversationId)
      .where("userId", "=", userId)
      .execute();
  }
}
