import type { RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Site } from "#domain/site.ts";
import { containsTerms, newestOfAll, numbersQuery, type SearchTerm } from "#platform/database/search/search.ts";

export const maxLookedUp = 1_000;

/** A condition on `posts`: among the newest matches. `isPart`: there may be older ones. */
export async function newestMatching(
  { db, engine }: Site,
  terms: SearchTerm[],
  limit = maxLookedUp,
): Promise<{ condition: RawBuilder<SqlBool>; isPart: boolean }> {
  const { rows } = await newestOfAll(engine, terms, limit).execute(db);
  const numbers = numbersQuery(
    engine,
    rows.map(({ number }) => number),
  );
  return { condition: sql<SqlBool>`posts.number in (select number from (${numbers}) as found)`, isPart: rows.length === limit };
}

/**
 * A condition on `posts`: every term occurs in title, author or text. For short lists with an order of their own. Rare words are looked up
 * in the index; for common words each story of the list is searched, and a page is soon full.
 */
export async function matching(site: Site, terms: SearchTerm[]): Promise<RawBuilder<SqlBool>> {
  const { condition, isPart } = await newestMatching(site, terms);
  return isPart ? containsTerms(site.engine, terms) : condition;
}
