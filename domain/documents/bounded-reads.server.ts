import { sql } from "kysely";
import type { Database } from "#platform/database/open.ts";
import { Unavailable } from "../refusals.ts";
import type { Site } from "../site.ts";
import type { Cost } from "./cost.server.ts";

export class QueryTooSlow extends Unavailable {}

const statementTimeoutMs = 2_000;
const mostWaiting = 200;
const cancelled = "57014";

class Lanes {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.length >= mostWaiting)
      throw new QueryTooSlow("Too many lists are being requested right now. Please try again later.");
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

const lanes = new WeakMap<Site["db"], Lanes>();

/**
 * Reads a list so that everything else goes on: on PostgreSQL lists take half of the connections at most, and one that has to look through
 * rows is stopped after two seconds. On SQLite one statement runs at a time anyway, and none that is long gets here. @throws QueryTooSlow.
 */
export async function readBounded<Result>(site: Site, cost: Cost, read: (db: Database) => Promise<Result>): Promise<Result> {
  if (site.engine === "sqlite") return read(site.db);
  const own = lanes.get(site.db) ?? new Lanes(Math.max(1, Math.floor(site.places.databaseConnections / 2)));
  lanes.set(site.db, own);
  return own.run(() => (cost.served ? read(site.db) : readInTime(site.db, read)));
}

async function readInTime<Result>(db: Database, read: (db: Database) => Promise<Result>): Promise<Result> {
  return db.connection().execute(async (one) => {
    await sql`select set_config('statement_timeout', ${String(statementTimeoutMs)}, false)`.execute(one);
    try {
      return await read(one);
    } catch (error) {
      throw (error as { code?: string }).code === cancelled ? new QueryTooSlow("Database timed out. Try adjusting your queries.") : error;
    } finally {
      await sql`reset statement_timeout`.execute(one);
    }
  });
}
