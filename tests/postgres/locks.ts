import { sql } from "kysely";
import type { Site } from "#domain/site.ts";
import type { DatabaseTransaction } from "#platform/database/open.ts";
import { until } from "../support/until.ts";

/** Holds the locks that `take` takes. @returns a function that releases them. */
export async function holdLocks(site: Site, take: (db: DatabaseTransaction) => Promise<unknown>): Promise<() => Promise<void>> {
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = site.db.transaction().execute(async (db) => {
    await take(db);
    taken.resolve();
    await released.promise;
  });
  await Promise.race([taken.promise, holding]);
  return () => {
    released.resolve();
    return holding;
  };
}

/** Returns when this many connections to the site's database wait for locks. */
export async function untilWaiting(site: Site, connections: number): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db);
    if (rows[0]?.waiting !== connections) throw new Error(`${rows[0]?.waiting} connections wait instead of ${connections}`);
  });
}

/** The site, and its warnings, which name deadlocks. */
export function withWarnings(site: Site): { site: Site; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (_details: unknown, text: string) => void warnings.push(text);
  return { site: { ...site, log: Object.assign(Object.create(site.log), { warn }) }, warnings };
}
