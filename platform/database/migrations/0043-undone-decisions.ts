import { type Step, sql } from "./step.ts";

/** A decision that was undone is news too: its member hasn't seen it until `seenAt` says so. What was undone before this counts as seen. */
export const undoneDecisions: Step = async (db) => {
  await sql.raw(`update moderation_actions set "seenAt" = "undoneAt" where "undoneAt" is not null and "seenAt" is null`).execute(db);
  await sql.raw(`drop index moderation_actions_unseen`).execute(db);
  await sql.raw(`create index moderation_actions_unseen on moderation_actions ("memberId", kind) where "seenAt" is null`).execute(db);
};
