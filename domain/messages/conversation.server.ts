import { sql } from "kysely";
import { lockRows } from "#platform/database/locks.ts";
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

/** A column of the profile `p` of the member `u`; null while they are suspended. */
export function shownInChats<Column extends "location" | "profileImage">(column: Column, now: number) {
  return sql<string | null>`case when not exists (select 1 from suspensions x where x."userId" = u.id and x.until > ${now})
    then ${sql.ref(`p.${column}`)} end`.as(column);
}
