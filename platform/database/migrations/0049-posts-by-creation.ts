import { runAll, type Step } from "./step.ts";

/** For lists by `$createdAt` that don't name a status: members' and staff's in the API, who also see drafts. */
export const postsByCreation: Step = (db) =>
  runAll(db, 'create index posts_by_creation on posts ((coalesce("createdAt", "publishedAt")), number);');
