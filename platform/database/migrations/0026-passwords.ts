import type { Step } from "./step.ts";

/** Counted attempts get separate keys. Existing counts are dropped: their windows are short. */
export const passwords: Step = async (db, { text }) => {
  await db.schema.dropTable("attempts").execute();
  await db.schema
    .createTable("attempts")
    .addColumn("kind", text, (c) => c.notNull())
    // A keyed hash of the account; empty if only the network counts.
    .addColumn("subject", text, (c) => c.notNull())
    // The network; empty if it doesn't matter.
    .addColumn("network", text, (c) => c.notNull())
    .addColumn("count", "integer", (c) => c.notNull())
    .addColumn("endsAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("attempts_key", ["kind", "subject", "network"])
    .execute();
  await db.schema.createIndex("attempts_end").on("attempts").column("endsAt").execute();
};
