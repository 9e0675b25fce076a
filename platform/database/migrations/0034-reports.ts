import { type Step, sql } from "./step.ts";

/** Additions to pending reports, and which answers and decisions are unseen. */
export const reports: Step = async (db, { text }) => {
  await db.schema
    .alterTable("reports")
    // JSON: [{ reason, note, excerpt, at }], oldest first.
    .addColumn("additions", text, (c) => c.notNull().defaultTo("[]"))
    .execute();
  await db.schema.alterTable("reports").addColumn("answerSeenAt", "bigint").execute();
  // Answers from before this migration count as seen.
  await sql.raw(`update reports set "answerSeenAt" = "updatedAt" where answer <> ''`).execute(db);
  await sql.raw(`create index reports_unseen on reports ("reporterId") where "answerSeenAt" is null and answer <> ''`).execute(db);
  // For the administrators' list of members: few have not confirmed.
  await sql.raw(`create index users_unconfirmed on users ("createdAt", id) where "emailVerified" = false`).execute(db);
  // Decisions on a deleted story can't be undone or appealed.
  await sql
    .raw(
      `update moderation_actions set "endsAt" = "createdAt" where subject like 'post:%' and "undoneAt" is null
        and not exists (select 1 from posts where 'post:' || posts.id = moderation_actions.subject)`,
    )
    .execute(db);
  await sql
    .raw(`create index moderation_actions_unseen on moderation_actions ("memberId", kind) where "seenAt" is null and "undoneAt" is null`)
    .execute(db);
};
