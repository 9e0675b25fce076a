import { type Step, sql } from "../step.ts";
import { accounts } from "./accounts.ts";
import { counters } from "./counters.ts";
import { drafts } from "./drafts.ts";
import { files } from "./files.ts";
import { members } from "./members.ts";
import { messages } from "./messages.ts";
import { moderation } from "./moderation.ts";
import { site } from "./site.ts";
import { stories } from "./stories.ts";
import { types } from "./types.ts";

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
