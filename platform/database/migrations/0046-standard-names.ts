import { type Step, sql } from "./step.ts";

/** Tables and stored names in the words of docs/glossary.md. */
export const standardNames: Step = async (db) => {
  await db.schema.alterTable("session_proofs").renameTo("session_verifications").execute();
  await db.schema.alterTable("session_verifications").renameColumn("provedAt", "verifiedAt").execute();

  await db.schema.dropIndex("upkeep_runs_newest").execute();
  await db.schema.alterTable("upkeep_runs").renameTo("backup_runs").execute();
  await db.schema.createIndex("backup_runs_newest").on("backup_runs").columns(["kind", "startedAt", "id"]).execute();
  await sql`update backup_runs set report = replace(replace(report, '"rehearsedOn"', '"testedOn"'), '"rehearsedAt"', '"testedAt"')
    where kind = 'backup'`.execute(db);
  await sql`update jobs set name = 'backups' where name = 'upkeep'`.execute(db);
  await sql`update newsletters set body = replace(body, '"stop":"', '"unsubscribeUrl":"') where body is not null`.execute(db);
};
