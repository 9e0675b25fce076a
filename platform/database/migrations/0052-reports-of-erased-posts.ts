import { runAll, type Step } from "./step.ts";

/** Reports of erased stories must not name another member's story with the same address. */
export const reportsOfErasedPosts: Step = (db) =>
  runAll(
    db,
    `update reports set "subjectId" = id where kind = 'post' and not exists
      (select 1 from posts where posts.id = reports."subjectId" and posts."userId" = reports."ownerId");`,
  );
