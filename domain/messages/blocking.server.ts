import { may, requirePermission } from "../permissions.ts";
import { Invalid, NotFound } from "../refusals.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { lockConversation } from "./conversation.server.ts";
import { ownTopic } from "./message.ts";

/**
 * Blocks or unblocks a person. A blocked person's messages are withheld without notice, also after unblocking; earlier ones stay.
 * @throws NotFound, Invalid for the viewer.
 */
export async function setBlocked(site: Site, viewer: Viewer, personId: string, blocked: boolean): Promise<void> {
  requirePermission(viewer, "block or mute");
  if (personId === viewer.id) throw new Invalid("You can’t block yourself");
  const person = await site.db.selectFrom("users").select("id").where("id", "=", personId).executeTakeFirst();
  if (!person) throw new NotFound();
  await transaction(site, async (tx) => {
    if (blocked)
      await tx.db
        .insertInto("blocks")
        .values({ userId: viewer.id, blockedId: personId, createdAt: tx.now() })
        .onConflict((conflict) => conflict.columns(["userId", "blockedId"]).doNothing())
        .execute();
    else await tx.db.deleteFrom("blocks").where("userId", "=", viewer.id).where("blockedId", "=", personId).execute();
    tx.changed("conversation.changed", { userId: viewer.id, partnerId: personId });
  });
}

/** Mutes or unmutes a conversation: badges don't count its messages. @throws NotFound without a conversation. */
export async function setMuted(site: Site, viewer: Viewer, partnerId: string, muted: boolean): Promise<void> {
  requirePermission(viewer, "block or mute");
  await transaction(site, async (tx) => {
    const conversation = await lockConversation(tx, viewer.id, partnerId);
    if (!conversation) throw new NotFound();
    await tx.db.updateTable("participants").set({ muted }).where("userId", "=", viewer.id).where("partnerId", "=", partnerId).execute();
    tx.changed("conversation.changed", { id: conversation.id, userId: viewer.id, partnerId });
  });
}

/** Shows the partner that the viewer is typing. Does nothing if either has blocked the other, or without a conversation. */
export async function broadcastTyping(site: Site, viewer: Viewer, partnerId: string): Promise<void> {
  if (!viewer || !may(viewer, "send a message")) return;
  const partners = await findVisiblePresence(site, viewer.id, [partnerId]);
  if (partners.has(partnerId)) site.events.broadcasts.send({ topic: ownTopic(partnerId), type: "typing", data: { partnerId: viewer.id } });
}

/** Filters for people whose presence the viewer may see: they have a conversation and neither has blocked the other. */
async function findVisiblePresence(site: Site, viewerId: string, ids: string[]): Promise<Set<string>> {
  const partners = await findPartnersNotBlocked(site, viewerId, ids);
  return new Set([...partners].flatMap(([id, hides]) => (hides ? [] : id)));
}

/** Filters for people with a conversation whom the viewer has not blocked. True: they have blocked the viewer and appear offline. */
export async function findPartnersNotBlocked({ db }: Site, viewerId: string, ids: string[]): Promise<Map<string, boolean>> {
  const rows = await db
    .selectFrom("participants as p")
    .leftJoin("blocks as own", (join) => join.onRef("own.userId", "=", "p.userId").onRef("own.blockedId", "=", "p.partnerId"))
    .leftJoin("blocks as other", (join) => join.onRef("other.userId", "=", "p.partnerId").onRef("other.blockedId", "=", "p.userId"))
    .select(["p.partnerId", "other.createdAt as blockedAt"])
    .where("p.userId", "=", viewerId)
    .where("p.partnerId", "in", ids)
    .where("own.userId", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.partnerId, row.blockedAt !== null]));
}
