import { isDuplicate } from "#platform/database/errors.ts";
import { newId } from "#platform/ids.ts";
import { mustBeAllowed } from "../permissions.ts";
import { Invalid, NotFound } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";

export const messageMax = 5000;

/** `sendId` is made by the sender: sending again with the same one is the same message. */
export type NewMessage = { to: string; text: string; sendId: string };

/**
 * Sends a private message and returns its id. The conversation of the two people numbers its messages without gaps.
 * @throws Invalid for a blank or endless text, NotFound when there is nobody of that id.
 */
export async function sendMessage(site: Site, viewer: Viewer, { to, text, sendId }: NewMessage): Promise<string> {
  mustBeAllowed(viewer, "send a message");
  const message = text.trim();
  if (message === "") throw new Invalid("A message can't be empty");
  if (message.length > messageMax) throw new Invalid(`A message can't be longer than ${messageMax} characters`);
  if (to === viewer.id) throw new Invalid("You can't write to yourself");
  const send = () => transaction(site, (tx) => write(tx, viewer.id, { to, message, sendId }));
  return send().catch(async (error) => {
    // Sent twice at the same moment: neither saw the other, and the later one met the same id.
    const sent = isDuplicate(error) ? await findSent(site, viewer.id, sendId) : undefined;
    if (!sent) throw error;
    return sent;
  });
}

type Draft = { to: string; message: string; sendId: string };

async function write(tx: SiteTransaction, senderId: string, { to, message, sendId }: Draft): Promise<string> {
  const sent = await findSent(tx, senderId, sendId);
  if (sent) return sent;
  const receiver = await tx.db.selectFrom("users").select("id").where("id", "=", to).executeTakeFirst();
  if (!receiver) throw new NotFound();
  const { conversationId, number } = await nextNumber(tx, senderId, to);
  const id = newId(tx.now());
  const row = {
    id,
    conversationId,
    number,
    sendId,
    senderId,
    receiverId: to,
    message,
    isRead: false,
    fileId: null,
    createdAt: tx.now(),
  };
  await tx.db.insertInto("messages").values(row).execute();
  tx.publish({ topic: `conversation:${conversationId}`, type: "message.created" });
  return id;
}

async function findSent({ db }: Site | SiteTransaction, senderId: string, sendId: string): Promise<string | undefined> {
  const sent = await db
    .selectFrom("messages")
    .select("id")
    .where("senderId", "=", senderId)
    .where("sendId", "=", sendId)
    .executeTakeFirst();
  return sent?.id;
}

/** Counts the pair's conversation up, beginning it when they have none; on PostgreSQL the row stays locked until the end. */
async function nextNumber(tx: SiteTransaction, one: string, other: string): Promise<{ conversationId: string; number: number }> {
  const [firstUserId, secondUserId] = [one, other].sort() as [string, string];
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

/** Marks everything that `partnerId` has written to the viewer as read. */
export async function markConversationRead(site: Site, viewer: Viewer, partnerId: string): Promise<void> {
  mustBeAllowed(viewer, "read a conversation", viewer?.id);
  await site.db
    .updateTable("messages")
    .set({ isRead: true })
    .where("receiverId", "=", viewer.id)
    .where("senderId", "=", partnerId)
    .where("isRead", "=", false)
    .execute();
}
