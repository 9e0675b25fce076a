import type { Step } from "./step.ts";

/** What administrators have written for the pages that the footer leads to; those without a row say what the program brings. */
export const pageTexts: Step = async (db, { text }) => {
  await db.schema
    .createTable("page_texts")
    .addColumn("path", text, (c) => c.primaryKey().notNull())
    .addColumn("title", text, (c) => c.notNull())
    .addColumn("lead", text, (c) => c.notNull())
    .addColumn("markdown", text, (c) => c.notNull())
    .addColumn("content", text, (c) => c.notNull())
    .addColumn("version", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
};
