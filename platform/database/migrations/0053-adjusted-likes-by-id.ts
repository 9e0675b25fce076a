import { runAll, type Step } from "./step.ts";

/** The API reads likes that administrators added by their ids, which are in the place of an account. */
export const adjustedLikesById: Step = (db) => runAll(db, 'create index adjusted_likes_id on adjusted_likes ("userId");');
