import { type CompiledQuery, type KyselyPlugin, sql } from "kysely";
import type { Site } from "#domain/site.ts";

/** The same site, and what it has asked the database since. */
export type QueryLog = { site: Site; queries: CompiledQuery[] };

export function watchQueries(site: Site): QueryLog {
  const queries: CompiledQuery[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      queries.push(site.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { site: { ...site, db: site.db.withPlugin(plugin) }, queries };
}

/** What a query does to each table, a step per line, in the engine's own words. */
export async function planOf({ db, engine }: Site, query: CompiledQuery): Promise<string[]> {
  if (engine === "sqlite") {
    const { rows } = await db.executeQuery<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
    return rows.map((row) => row.detail);
  }
  const { rows } = await db.executeQuery<{ "QUERY PLAN": string }>({ ...query, sql: `explain ${query.sql}` });
  return rows.map((row) => row["QUERY PLAN"]);
}

/** Steps whose cost grows with the site: a table read from end to end, or more rows sorted than are shown. */
export function growingSteps(plan: string[]): string[] {
  // Subqueries have an end; so have tables of counters.
  const bounded =
    /^SCAN (found|scan|best|recent|counted|\(subquery-\d+\)|counters|administrators|CONSTANT ROW|posts_search VIRTUAL TABLE)|Seq Scan on counters/;
  return plan
    .map((step) => step.trim())
    .filter((step) => !bounded.test(step) && /^SCAN (?!\w+ USING)|Seq Scan|TEMP B-TREE|\bSort\b(?! Key)/.test(step));
}

/** Measures the tables, as the engine does by itself after a while. */
export async function measure({ db }: Site): Promise<void> {
  await sql`analyze`.execute(db);
}
