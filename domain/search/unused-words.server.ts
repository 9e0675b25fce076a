import { type SqlBool, sql } from "kysely";
import { newestOfAll } from "#platform/database/search/search.ts";
import { isTypoCandidate, searchWords } from "#platform/database/search/search-words.ts";
import type { Site, SiteTransaction } from "../site.ts";
import { indexAuthorName } from "./author-name.server.ts";

/** Removes words, by which typos are corrected, that no story has any more. */
export async function removeUnusedSearchWords({ db, engine }: Site, words: Iterable<string>): Promise<void> {
  for (const word of words) {
    const found = newestOfAll(engine, [{ forms: [word], isPrefix: false }], 1);
    const unused = sql<SqlBool>`not exists (select 1 from (${found}) as found)`;
    await db.deleteFrom("search_words").where("word", "=", word).where(unused).execute();
  }
}

/**
 * Call it when a title or a name is replaced or removed: account deletion wouldn't find its words later. `renamed`: the member whose name it
 * is; their stories get the new name first. If the process ends after the commit, the sweep does it (`finishDeletions`).
 */
export async function forgetSearchWords(
  tx: SiteTransaction,
  { before = "", after = "", renamed = "" }: { before?: string | undefined; after?: string; renamed?: string },
): Promise<void> {
  const kept = new Set(searchWords(after));
  const words = [...new Set(searchWords(before).filter((word) => isTypoCandidate(word) && !kept.has(word)))];
  if (words.length === 0 && renamed === "") return;
  const { number } = await tx.db
    .insertInto("deletion_cleanups")
    .values({ userId: renamed, address: null, words: JSON.stringify(words), postIds: "[]" })
    .returning("number")
    .executeTakeFirstOrThrow();
  tx.afterCommit(async (site) => {
    if (renamed) await indexAuthorName(site, renamed);
    await removeUnusedSearchWords(site, words);
    await site.db.deleteFrom("deletion_cleanups").where("number", "=", number).execute();
  });
}
