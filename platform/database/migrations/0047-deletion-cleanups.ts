import type { Step } from "./step.ts";

/** What remains to be removed after the transactions of an account deletion. */
export const deletionCleanups: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("deletion_cleanups")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull())
    // Null until the account itself is deleted.
    .addColumn("address", text)
    // JSON.
    .addColumn("words", text, (c) => c.notNull())
    .addColumn("postIds", text, (c) => c.notNull())
    .execute();
};
