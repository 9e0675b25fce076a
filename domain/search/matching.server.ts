import type { RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Site } from "#domain/site.ts";
import { holdsTerms, newestOfAll, numbersQuery, type SearchTerm } from "#platform/database/search/search.ts";

const lookedUp = 1_000;

/**
 * A condition on `posts`: every term occurs in title, author or text, for lists of few of the site's stories in an order of
 * their own. Words that are in few stories are looked up in the index. Where they are in more, the stories of the list are
 * looked into one by one, and a page of them is soon full.
 */
export async function matching({ db, engine }: Site, terms: SearchTerm[]): Promise<RawBuilder<SqlBool>> {
  const { rows } = await newestOfAll(engine, terms, lookedUp).execute(db);
  if (rows.length === lookedUp) return holdsTerms(engine, terms);
  const numbers = rows.map(({ number }) => number);
  return sql<SqlBool>`posts.number in (select number from (${numbersQuery(engine, numbers)}) as found)`;
}
