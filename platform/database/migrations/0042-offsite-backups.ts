import type { Step } from "./step.ts";

/** When a backup was sent away from this machine, and why the last try failed (docs/decisions/0029-backups.md). */
export const offsiteBackups: Step = async (db, { text }) => {
  await db.schema.alterTable("upkeep_runs").addColumn("sentAt", "bigint").execute();
  await db.schema.alterTable("upkeep_runs").addColumn("sendError", text).execute();
};
