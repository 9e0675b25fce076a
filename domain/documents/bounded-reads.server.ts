import { sql } from "kysely";
import type { Database } from "#platform/database/open.ts";
import { QueueFull } from "#platform/queues/fair-queue.ts";
import { Unavailable } from "../refusals.ts";
import type { Site } from "../site.ts";
import type { Cost } from "./cost.server.ts";

const statementTimeoutMs = 2_000;
const cancelled = "57014";

/**
 * Reads a list so that everything else goes on: on PostgreSQL lists take half of the connections at most, and one that has to look through
 * rows is stopped after two seconds. On SQLite one statement runs at a time anyway, and none that is long gets here. @throws Unavailable.
 */
export async function readBounded<Result>(site: Site, cost: Cost, read: (db: Database) => Promise<Result>): Promise<Result> {
  if (site.engine === "sqlite") return read(site.db);
  const work = () => (cost.served ? read(site.db) : readInTime(site.db, read));
  return site.memory.lists.run("everybody", work).catch((error: unknown) => {
    if (!(error instanceof QueueFull)) throw error;
    throw new Unavailable("Too many lists are being requested right now. Please try again later.");
  });
}

async function readInTime<Result>(db: Database, read: (db: Database) => Promise<Result>): Promise<Result> {
  return db.connection().execute(async (one) => {
    await sql`select set_config('statement_timeout', ${String(statementTimeoutMs)}, false)`.execute(one);
    try {
      return await read(one);
    } catch (error) {
      throw (error as { code?: string }).code === cancelled ? new Unavailable("Database timed out. Try adjusting your queries.") : error;
    } finally {
      await sql`reset statement_timeout`.execute(one);
    }
  });
}
