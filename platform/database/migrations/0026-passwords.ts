import type { Step } from "./step.ts";

/** Counted attempts get keys of their own. What was counted so far is let go: windows are short, and begin again. */
export const passwords: Step = async (db, { text }) => {
  await db.schema.dropTable("attempts").execute();
  await db.schema
    .createTable("attempts")
    .addColumn("kind", text, (c) => c.notNull())
    // Whom it is about, as a keyed hash; empty where only the network counts.
    .addColumn("subject", text, (c) => c.notNull())
    // Where it came from; empty where that doesn't matter.
    .addColumn("network", text, (c) => c.notNull())
    .addColumn("count", "integer", (c) => c.notNull())
    .addColumn("endsAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("attempts_key", ["kind", "subject", "network"])
    .execute();
  await db.schema.createIndex("attempts_end").on("attempts").column("endsAt").execute();
};
