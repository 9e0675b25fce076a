import { type Compilable, type CompiledQuery, type KyselyPlugin, sql } from "kysely";
import type { Site } from "#domain/site.ts";
import type { Database } from "#platform/database/open.ts";

/** The site, and its queries since. */
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
  const db = site.db.withPlugin(plugin) as Database;
  const execute = db.executeQuery.bind(db);
  // Compiled queries don't pass through plugins.
  db.executeQuery = async <Row>(query: CompiledQuery<Row> | Compilable<Row>) => {
    if ("sql" in query) queries.push(query);
    return execute(query);
  };
  return { site: { ...site, db }, queries };
}

/** The engine's plan of a query, one step per line. */
export async function planOf({ db, engine }: Site, query: CompiledQuery): Promise<string[]> {
  if (engine === "sqlite") {
    const { rows } = await db.executeQuery<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
    return rows.map((row) => row.detail);
  }
  const { rows } = await db.executeQuery<{ "QUERY PLAN": string }>({ ...query, sql: `explain ${query.sql}` });
  return rows.map((row) => row["QUERY PLAN"]);
}

/** Steps that grow with the site: a full scan of a table, or a sort of more rows than are shown. */
export function unboundedSteps(plan: string[]): string[] {
  const reads = plan.filter((step) => /\b(Scan|SCAN|SEARCH)\b/.test(step));
  if (reads.length > 0 && reads.every((step) => /\b(on|SCAN|SEARCH) counters\b/.test(step))) return [];
  // Subqueries and tables of counters are small.
  const bounded =
    /^SCAN (found|matches|scan|best|recent|counted|\(subquery-\d+\)|counters|administrators|CONSTANT ROW|posts_search VIRTUAL TABLE)|Seq Scan on counters/;
  return plan
    .map((step) => step.trim())
    .filter((step) => !bounded.test(step) && /^SCAN (?!\w+ USING)|Seq Scan|TEMP B-TREE|\bSort\b(?! Key)/.test(step));
}

/** Updates the planner's statistics, as the engine does by itself after a while. */
export async function updateStatistics({ db }: Site): Promise<void> {
  await sql`analyze`.execute(db);
}
