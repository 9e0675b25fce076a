import { type Migration, Migrator } from "kysely/migration";
import { accounts } from "./migrations/0001-accounts.ts";
import { posts } from "./migrations/0002-posts.ts";
import { search } from "./migrations/0003-search.ts";
import { people } from "./migrations/0004-people.ts";
import { events } from "./migrations/0005-events.ts";
import { columnTypes, type Step } from "./migrations/step.ts";
import type { Database, Engine } from "./open.ts";

/** In order; new ones go at the end, and one that has been released never changes. */
const steps: Record<string, Step> = {
  "0001-accounts": accounts,
  "0002-posts": posts,
  "0003-search": search,
  "0004-people": people,
  "0005-events": events,
};

/** Brings the schema up to date and returns the names of the steps that ran. */
export async function migrate(db: Database, engine: Engine = "sqlite"): Promise<string[]> {
  const types = columnTypes(engine);
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [name, { up: (trx) => step(trx, types) }]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
