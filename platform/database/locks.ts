import { type QueryExecutorProvider, sql } from "kysely";
import type { Engine } from "./engine.ts";

/**
 * Reads rows that this transaction goes on to change by what it read: on PostgreSQL they are locked until it ends, on
 * SQLite there is no other writer anyway.
 */
export function forUpdate<Query extends { forUpdate(): Query }>({ engine }: { engine: Engine }, query: Query): Query {
  return engine === "postgres" ? query.forUpdate() : query;
}

/**
 * Reads rows that others which this transaction adds will point to: on PostgreSQL nobody deletes them until it ends, though they may
 * be changed; of those that are being deleted it waits for the end.
 */
export function forKeyShare<Query extends { forKeyShare(): Query }>({ engine }: { engine: Engine }, query: Query): Query {
  return engine === "postgres" ? query.forKeyShare() : query;
}

/** Until this transaction ends, others that ask under the same name wait; on SQLite there is no other writer anyway. */
export async function takeTurn({ db, engine }: { db: QueryExecutorProvider; engine: Engine }, name: string): Promise<void> {
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(db);
}
