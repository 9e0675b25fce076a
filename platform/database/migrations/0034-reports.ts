import { type Step, sql } from "./step.ts";

/** What somebody adds to a report of theirs that waits, and which answers and decisions their readers have not seen. */
export const reports: Step = async (db, { text }) => {
  await db.schema
    .alterTable("reports")
    // JSON: [{ reason, note, excerpt, at }], oldest first.
    .addColumn("additions", text, (c) => c.notNull().defaultTo("[]"))
    .execute();
  await db.schema.alterTable("reports").addColumn("answerSeenAt", "bigint").execute();
  // What was answered before this could be noted counts as seen.
  await sql.raw(`update reports set "answerSeenAt" = "updatedAt" where answer <> ''`).execute(db);
  await sql.raw(`create index reports_unseen on reports ("reporterId") where "answerSeenAt" is null and answer <> ''`).execute(db);
  await sql
    .raw(`create index moderation_actions_unseen on moderation_actions ("memberId", kind) where "seenAt" is null and "undoneAt" is null`)
    .execute(db);
};
