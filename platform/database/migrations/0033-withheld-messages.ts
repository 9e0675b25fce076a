import type { Step } from "./step.ts";

/** Messages not delivered because the receiver has blocked the sender (docs/decisions/0027-messages.md). */
export const withheldMessages: Step = async (db) => {
  await db.schema
    .alterTable("messages")
    .addColumn("withheld", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
};
