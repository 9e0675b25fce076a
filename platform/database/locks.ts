import { type Expression, type QueryExecutorProvider, sql } from "kysely";
import type { Engine } from "./engine.ts";

/** Locks the rows on PostgreSQL; SQLite has only one writer. */
export function forUpdate<Query extends { forUpdate(): Query }>({ engine }: { engine: Engine }, query: Query): Query {
  return engine === "postgres" ? query.forUpdate() : query;
}

/** As `forUpdate`, for any number of rows: locks them in their order, without reading them. */
export async function lockRows(
  { db, engine }: { db: QueryExecutorProvider; engine: Engine },
  rows: { forUpdate(): Expression<unknown> },
): Promise<void> {
  if (engine === "postgres") await sql`select count(*) from ${rows.forUpdate()} as locked`.execute(db);
}

/** Prevents deletion, not changes, of rows that new rows will refer to. */
export function forKeyShare<Query extends { forKeyShare(): Query }>({ engine }: { engine: Engine }, query: Query): Query {
  return engine === "postgres" ? query.forKeyShare() : query;
}

/** Advisory lock until the transaction ends; SQLite has only one writer. */
export async function lockUntilCommit({ db, engine }: { db: QueryExecutorProvider; engine: Engine }, name: string): Promise<void> {
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(db);
}
