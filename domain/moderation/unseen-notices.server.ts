import { type RawBuilder, sql } from "kysely";
import type { SiteTransaction } from "../site.ts";
import { memberFacingKinds } from "./moderation-action.ts";

const most = sql.lit(99);

export function countUnseenNotices(userId: string | RawBuilder<unknown>): RawBuilder<number> {
  const kinds = sql.join(memberFacingKinds.map((kind) => sql.lit(kind)));
  return sql<number>`((select count(*) from (select 1 from moderation_actions where "memberId" = ${userId} and kind in (${kinds})
      and "seenAt" is null limit ${most}) as decisions)
    + (select count(*) from (select 1 from reports where "reporterId" = ${userId}
      and "answerSeenAt" is null and answer <> '' limit ${most}) as answers))`;
}

export async function markAnswersSeen({ db, now }: SiteTransaction, userId: string, actionId: string): Promise<void> {
  await db
    .updateTable("reports")
    .set({ answerSeenAt: now() })
    .where("reporterId", "=", userId)
    .where("kind", "=", "appeal")
    .where("subjectId", "=", actionId)
    .where("answerSeenAt", "is", null)
    .where("answer", "<>", sql.lit(""))
    .execute();
}
