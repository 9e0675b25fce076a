import type { RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Site } from "#domain/site.ts";
import { containsTerms, newestOfAll, numbersQuery, type SearchTerm } from "#platform/database/search/search.ts";

const maxLookedUp = 1_000;

/**
 * A condition on `posts`: every term occurs in title, author or text. For short lists with an order of their own. Rare words are looked up
 * in the index; for common words each story of the list is searched, and a page is soon full.
 */
export async function matching({ db, engine }: Site, terms: SearchTerm[]): Promise<RawBuilder<SqlBool>> {
  const { rows } = await newestOfAll(engine, terms, maxLookedUp).execute(db);
  if (rows.length === maxLookedUp) return containsTerms(engine, terms);
  const numbers = rows.map(({ number }) => number);
  return sql<SqlBool>`posts.number in (select number from (${numbersQuery(engine, numbers)}) as found)`;
}
