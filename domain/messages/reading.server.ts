import { sql } from "kysely";
import { requirePermission } from "../permissions.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { findOwnParticipant, lockConversation } from "./conversation.server.ts";

export async function markConversationRead(site: Site, viewer: Viewer, partnerId: string, upTo = Number.MAX_SAFE_INTEGER): Promise<void> {
  requirePermission(viewer, "read a conversation", viewer?.id);
  const own = await findOwnParticipant(site, viewer.id, partnerId);
  if (!own || own.unreadCount === 0) return;
  await transaction(site, (tx) => advance(tx, viewer.id, partnerId, Math.min(upTo, own.lastNumber ?? 0)));
}

async function advance(tx: SiteTransaction, userId: string, partnerId: string, upTo: number): Promise<void> {
  const conversation = await lockConversation(tx, userId, partnerId);
  if (!conversation) return;
  const number = Math.min(upTo, conversation.lastNumber);
  const read = await tx.db
    .updateTable("messages")
    .set({ isRead: true })
    .where("receiverId", "=", userId)
    .where("conversationId", "=", conversation.id)
    // Literally as in the partial index.
    .where("isRead", "=", sql.lit(false))
    .where("number", "<=", number)
    .returning(["number", "withheld"])
    .execute();
  // Withheld messages look read to their sender but were never counted.
  const counted = read.filter(({ withheld }) => !withheld).length;
  if (counted === 0) return;
  const { unreadCount: unread } = await tx.db
    .updateTable("participants")
    .set((eb) => ({
      readNumber: eb.case().when("readNumber", "<", number).then(number).else(eb.ref("readNumber")).end(),
      unreadCount: eb("unreadCount", "-", counted),
      emailDueAt: null,
    }))
    .where("userId", "=", userId)
    .where("partnerId", "=", partnerId)
    .returning("unreadCount")
    .executeTakeFirstOrThrow();
  const first = read.reduce((lowest, { number }) => Math.min(lowest, number), number);
  tx.changed("conversation.read", { id: conversation.id, userId, partnerId, first, number, unread });
}
