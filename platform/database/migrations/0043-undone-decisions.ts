import { type Step, sql } from "./step.ts";

/** An undone decision counts as unseen until `seenAt` is set. Decisions undone before this migration count as seen. */
export const undoneDecisions: Step = async (db) => {
  await sql.raw(`update moderation_actions set "seenAt" = "undoneAt" where "undoneAt" is not null and "seenAt" is null`).execute(db);
  await sql.raw(`drop index moderation_actions_unseen`).execute(db);
  await sql.raw(`create index moderation_actions_unseen on moderation_actions ("memberId", kind) where "seenAt" is null`).execute(db);
};
