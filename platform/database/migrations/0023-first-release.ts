import { accounts } from "./first-release/accounts.ts";
import { counters } from "./first-release/counters.ts";
import { drafts } from "./first-release/drafts.ts";
import { files } from "./first-release/files.ts";
import { members } from "./first-release/members.ts";
import { messages } from "./first-release/messages.ts";
import { moderation } from "./first-release/moderation.ts";
import { site } from "./first-release/site.ts";
import { stories } from "./first-release/stories.ts";
import { types } from "./first-release/types.ts";
import { type Step, sql } from "./step.ts";

/** The tables of the first release, formerly migrations 0001 to 0023. Each after those that it refers to. */
export const firstRelease: Step = async (db, { engine }) => {
  for (const noun of [accounts, files, members, moderation, stories, drafts, messages, counters, site])
    for (const statement of noun(types[engine])
      .split(/;\n\s*/)
      .filter(Boolean))
      await sql.raw(statement).execute(db);
  if (engine === "sqlite") return;
  for (const table of ["tallies", "daily_tallies"]) await sql.raw(`alter table ${table} set (fillfactor = 50)`).execute(db);
};
