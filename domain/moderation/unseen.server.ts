import { type RawBuilder, sql } from "kysely";
import type { Site, Viewer } from "../site.ts";
import { memberFacingKinds } from "./moderation-action.ts";

const most = sql.lit(99);

/** How many decisions and answers somebody has not looked at; a part of a query. */
export function unseenNotices(userId: string): RawBuilder<number> {
  const kinds = sql.join(memberFacingKinds.map((kind) => sql.lit(kind)));
  return sql<number>`((select count(*) from (select 1 from moderation_actions where "memberId" = ${userId} and kind in (${kinds})
      and "seenAt" is null and "undoneAt" is null limit ${most}) as decisions)
    + (select count(*) from (select 1 from reports where "reporterId" = ${userId}
      and "answerSeenAt" is null and answer <> '' limit ${most}) as answers))`;
}

export async function countUnseen(site: Site, viewer: Viewer): Promise<number> {
  if (!viewer) return 0;
  const { rows } = await sql<{ unseen: number }>`select ${unseenNotices(viewer.id)} as unseen`.execute(site.db);
  return Number(rows[0]?.unseen ?? 0);
}

/** The moderation actions against which somebody appealed and has not read the answer. */
export async function listUnseenAppeals({ db }: Site, userId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom("reports")
    .select("subjectId")
    .where("reporterId", "=", userId)
    .where("kind", "=", "appeal")
    .where("answerSeenAt", "is", null)
    .where("answer", "<>", sql.lit(""))
    .execute();
  return new Set(rows.map(({ subjectId }) => subjectId));
}

/** Of the appeals against a moderation action, or of what somebody reported. */
export async function seeAnswers({ db, now }: Site, userId: string, { actionId }: { actionId?: string }): Promise<void> {
  const unseen = db
    .updateTable("reports")
    .set({ answerSeenAt: now() })
    .where("reporterId", "=", userId)
    .where("answerSeenAt", "is", null)
    .where("answer", "<>", sql.lit(""));
  await (actionId === undefined
    ? unseen.where("kind", "<>", "appeal")
    : unseen.where("kind", "=", "appeal").where("subjectId", "=", actionId)
  ).execute();
}
