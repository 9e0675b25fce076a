import { sql } from "kysely";
import { mustBeAllowed } from "../permissions.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { findOwnSide, holdConversation } from "./conversation.server.ts";

export async function markConversationRead(site: Site, viewer: Viewer, partnerId: string, upTo = Number.MAX_SAFE_INTEGER): Promise<void> {
  mustBeAllowed(viewer, "read a conversation", viewer?.id);
  const own = await findOwnSide(site, viewer.id, partnerId);
  if (!own || own.unreadCount === 0) return;
  await transaction(site, (tx) => advance(tx, viewer.id, partnerId, Math.min(upTo, own.lastNumber ?? 0)));
}

async function advance(tx: SiteTransaction, userId: string, partnerId: string, wanted: number): Promise<void> {
  const conversation = await holdConversation(tx, userId, partnerId);
  if (!conversation) return;
  const number = Math.min(wanted, conversation.lastNumber);
  const read = await tx.db
    .updateTable("messages")
    .set({ isRead: true })
    .where("receiverId", "=", userId)
    .where("conversationId", "=", conversation.id)
    // As it is in the index of unread messages.
    .where("isRead", "=", sql.lit(false))
    .where("number", "<=", number)
    .returning("withheld")
    .execute();
  // Those before it that never arrived look read to their sender, as they would have been; nobody has counted them.
  const counted = read.filter(({ withheld }) => !withheld).length;
  if (counted === 0) return;
  await tx.db
    .updateTable("participants")
    .set((eb) => ({
      readNumber: eb.case().when("readNumber", "<", number).then(number).else(eb.ref("readNumber")).end(),
      unreadCount: eb("unreadCount", "-", counted),
      emailDueAt: null,
    }))
    .where("userId", "=", userId)
    .where("partnerId", "=", partnerId)
    .execute();
  tx.changed("conversation.read", { userId, partnerId, number });
}
