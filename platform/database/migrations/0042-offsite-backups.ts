import type { Step } from "./step.ts";

/** When a backup was uploaded off-site, and why the last attempt failed (docs/decisions/0029-backups.md). */
export const offsiteBackups: Step = async (db, { text }) => {
  await db.schema.alterTable("upkeep_runs").addColumn("sentAt", "bigint").execute();
  await db.schema.alterTable("upkeep_runs").addColumn("sendError", text).execute();
};
