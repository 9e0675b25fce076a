import { NotFound } from "../refusals.ts";
import type { Site, SiteTransaction } from "../site.ts";

/**
 * Holds the pair's conversation until the transaction ends, so that what is counted and numbered in it is counted and
 * numbered by one at a time; undefined when they have none. Everything that changes a conversation begins with it:
 * rows that are always locked in one order can't lock each other out.
 */
export async function holdConversation(
  tx: SiteTransaction,
  one: string,
  other: string,
): Promise<{ id: string; lastNumber: number } | undefined> {
  const [firstUserId, secondUserId] = pair(one, other);
  return tx.db
    .updateTable("conversations")
    .set((eb) => ({ lastNumber: eb.ref("lastNumber") }))
    .where("firstUserId", "=", firstUserId)
    .where("secondUserId", "=", secondUserId)
    .returning(["id", "lastNumber"])
    .executeTakeFirst();
}

export function pair(one: string, other: string): [string, string] {
  return one < other ? [one, other] : [other, one];
}

/** What the viewer has of the conversation with a partner; undefined when they never wrote. */
export async function findOwnSide({ db }: Site | SiteTransaction, userId: string, partnerId: string) {
  return db.selectFrom("participants").selectAll().where("userId", "=", userId).where("partnerId", "=", partnerId).executeTakeFirst();
}

/** Whether one of the two has blocked the other. @throws NotFound when there is nobody of the id `partnerId`. */
export async function readBlocks(
  { db }: Site | SiteTransaction,
  viewerId: string,
  partnerId: string,
): Promise<{ byViewer: boolean; byPartner: boolean }> {
  const rows = await db
    .selectFrom("users as u")
    .leftJoin("blocks as b", (join) =>
      join.on((eb) =>
        eb.or([
          eb.and([eb("b.userId", "=", viewerId), eb("b.blockedId", "=", partnerId)]),
          eb.and([eb("b.userId", "=", partnerId), eb("b.blockedId", "=", viewerId)]),
        ]),
      ),
    )
    .select(["u.id", "b.userId as blocker"])
    .where("u.id", "=", partnerId)
    .execute();
  if (rows.length === 0) throw new NotFound();
  return { byViewer: rows.some((row) => row.blocker === viewerId), byPartner: rows.some((row) => row.blocker === partnerId) };
}
