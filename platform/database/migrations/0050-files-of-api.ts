import { runAll, type Step } from "./step.ts";

/** For lists of files in the API: without it they read past every picture of the site. */
export const filesOfApi: Step = (db) =>
  runAll(db, 'create index files_of_api on files ("createdAt", id) where signature is not null or pieces > 1;');
