import { type Step, sql } from "./step.ts";

/**
 * The messages around a reported message at the time of the report, so that moderators can read them after deletion
 * (docs/decisions/0015-reported-messages.md). Deleted with the account of either person.
 */
export const evidence: Step = async (db, { engine, text }) => {
  await db.schema
    .createTable("report_evidence")
    .addColumn("reportId", text, (c) => c.notNull().references("reports.id").onDelete("cascade"))
    .addColumn("messageId", text, (c) => c.notNull())
    .addColumn("number", "bigint", (c) => c.notNull())
    .addColumn("senderId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("receiverId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("message", text, (c) => c.notNull())
    .addColumn("fileName", text)
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("copiedAt", "bigint", (c) => c.notNull())
    .addColumn("keptUntil", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("report_evidence_key", ["reportId", "messageId"])
    .execute();
  for (const column of ["senderId", "receiverId", "keptUntil"])
    await db.schema.createIndex(`report_evidence_${column}`).on("report_evidence").column(column).execute();

  // Finds recovery links and pending passkeys by user: a prefix of the value, because a whole value may be too long for an index.
  const find = engine === "sqlite" ? "instr" : "strpos";
  await sql.raw("create index verifications_owner on verifications (substr(value, 1, 60))").execute(db);
  await sql
    .raw(`create index verifications_challenge on verifications (substr(value, ${find}(value, '"userData":{"id":"') + 18, 60))`)
    .execute(db);
};
