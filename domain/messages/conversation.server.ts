import { sql } from "kysely";
import { lockRows } from "#platform/database/locks.ts";
import { NotFound } from "../refusals.ts";
import type { Site, SiteTransaction } from "../site.ts";
import { memberPair } from "./message.ts";

/**
 * Locks the pair's conversation until the transaction ends, so that one transaction at a time counts and numbers its messages; undefined
 * without one. Every change of a conversation starts with it: a fixed lock order prevents deadlocks.
 */
export async function lockConversation(
  tx: SiteTransaction,
  one: string,
  other: string,
): Promise<{ id: string; lastNumber: number } | undefined> {
  const [firstUserId, secondUserId] = memberPair(one, other);
  return tx.db
    .updateTable("conversations")
    .set((eb) => ({ lastNumber: eb.ref("lastNumber") }))
    .where("firstUserId", "=", firstUserId)
    .where("secondUserId", "=", secondUserId)
    .returning(["id", "lastNumber"])
    .executeTakeFirst();
}

/**
 * Locks all conversations of a member, in the order in which a batch of messages does. Before their account is deleted: a message locks the
 * conversation, then the account.
 */
export async function lockConversationsOf(tx: SiteTransaction, userId: string): Promise<void> {
  const own = tx.db.selectFrom("conversations").select("id");
  const either = own.where((eb) => eb.or([eb("firstUserId", "=", userId), eb("secondUserId", "=", userId)]));
  await lockRows(tx, either.orderBy("firstUserId").orderBy("secondUserId"));
}

export async function findOwnParticipant({ db }: Site | SiteTransaction, userId: string, partnerId: string) {
  return db.selectFrom("participants").selectAll().where("userId", "=", userId).where("partnerId", "=", partnerId).executeTakeFirst();
}

type BlockState = { byViewer: boolean; byPartner: boolean; known: boolean };

/** `known`: the two have a conversation. @throws NotFound for an unknown partner. */
export async function readBlocks({ db }: Site | SiteTransaction, viewerId: string, partnerId: string): Promise<BlockState> {
  const { rows } = await sql<Record<keyof BlockState, unknown>>`
    select
      exists (select 1 from blocks where "userId" = ${viewerId} and "blockedId" = ${partnerId}) as "byViewer",
      exists (select 1 from blocks where "userId" = ${partnerId} and "blockedId" = ${viewerId}) as "byPartner",
      exists (select 1 from participants where "userId" = ${viewerId} and "partnerId" = ${partnerId}) as known
    from users where id = ${partnerId}`.execute(db);
  if (!rows[0]) throw new NotFound();
  const { byViewer, byPartner, known } = rows[0];
  return { byViewer: Boolean(byViewer), byPartner: Boolean(byPartner), known: Boolean(known) };
}
