import { runAll, type Step } from "./step.ts";

/**
 * Drafts that were never published have no date. PostgreSQL sorts them first and read newest-first lists through this index, every draft
 * before the first story. Without drafts it serves ranges of dates only; lists have `posts_newest`.
 */
export const postsAge: Step = (db) =>
  runAll(
    db,
    `
drop index posts_age;

create index posts_age on posts ("publishedAt", number) where "publishedAt" is not null;
`,
  );
