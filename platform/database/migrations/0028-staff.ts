import type { Step } from "./step.ts";

/** Roles of staff, when each session last confirmed its user's identity, and the audit log as a hash chain. */
export const staff: Step = async (db, { text }) => {
  await db.schema
    .alterTable("administrators")
    .addColumn("role", text, (c) => c.notNull().defaultTo("administrator"))
    .execute();

  await db.schema
    .createTable("session_proofs")
    .addColumn("sessionId", text, (c) => c.primaryKey().notNull().references("sessions.id").onDelete("cascade"))
    .addColumn("provedAt", "bigint", (c) => c.notNull())
    .execute();

  // Of deleted accounts that were suspended, until the suspension ends.
  await db.schema
    .createTable("barred_addresses")
    .addColumn("fingerprint", text, (c) => c.primaryKey().notNull())
    .addColumn("until", "bigint", (c) => c.notNull())
    .execute();

  // Null for entries from before this migration.
  for (const column of ["network", "salt", "contentHash", "hash"])
    await db.schema.alterTable("audit_log").addColumn(column, text).execute();
  await db.schema.alterTable("audit_log").addColumn("link", "bigint").execute();
  await db.schema.createIndex("audit_log_link").unique().on("audit_log").column("link").execute();
};
