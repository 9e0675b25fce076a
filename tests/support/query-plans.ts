import { CompiledQuery, sql } from "kysely";
import type { Site } from "#domain/site.ts";
import type { Engine } from "#platform/database/engine.ts";
import type { Database } from "#platform/database/open.ts";
import { watchQueries } from "./queries.ts";

/** Runs a read and returns the engine's plan for each of its queries, one step per line. */
export async function plansOf(site: Site, read: (site: Site) => Promise<unknown>): Promise<string[]> {
  const { site: watched, queries } = watchQueries(site);
  await read(watched);
  const plans: string[] = [];
  for (const query of queries) plans.push(...(await planOf(site.db, site.engine, query)));
  return plans;
}

async function planOf(db: Database, engine: Engine, query: CompiledQuery): Promise<string[]> {
  if (engine === "sqlite") {
    const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]));
    return rows.map((row) => row.detail);
  }
  return db.transaction().execute(async (tx) => {
    // A test's tables are so short that a full scan would win.
    await sql`set local enable_seqscan = off`.execute(tx);
    const { rows } = await tx.executeQuery<{ "QUERY PLAN": string }>(CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters]));
    return rows.map((row) => row["QUERY PLAN"]);
  });
}

/** Steps that scan a whole table without an index or key. */
export function fullScans(plans: string[]): string[] {
  return plans.filter((step) =>
    /^SCAN (?!\w+ (USING|VIRTUAL)|CONSTANT)\w*(posts|reports|likes|users|profiles|search_words)\b|Seq Scan on \w*(posts|reports|likes|users|profiles|search_words)\b/.test(
      step,
    ),
  );
}

/** Steps that sort. */
export function sortSteps(plans: string[]): string[] {
  return plans.filter((step) => /TEMP B-TREE FOR ORDER BY|^\s*(->\s+)?Sort\b/.test(step));
}
