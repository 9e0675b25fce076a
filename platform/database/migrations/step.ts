import { type ColumnDataType, type Expression, type Kysely, sql } from "kysely";

type ColumnType = ColumnDataType | Expression<unknown>;

/** What differs between the engines when a table is made. Times of our own are milliseconds in a bigint on both. */
export type ColumnTypes = {
  engine: "sqlite" | "postgres";
  /** Compared and sorted by its bytes, on PostgreSQL too, whatever language its database was made for. */
  text: ColumnType;
  /** How the accounts library writes its dates. */
  date: ColumnType;
  /** A number that the database hands out, counting up. */
  serial: ColumnType;
};

export type Step = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

export function columnTypes(engine: "sqlite" | "postgres"): ColumnTypes {
  return engine === "sqlite"
    ? { engine, text: "text", date: "text", serial: "integer" }
    : { engine, text: sql`text collate "C"`, date: "timestamptz", serial: "bigserial" };
}

export type Trigger = { name: string; on: string; when?: string; does: string };

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

/** While a whole site is copied into PostgreSQL its counters come along and nothing is counted. */
export const notCopying = "coalesce(current_setting('inkstead.moving', true), '') <> 'on'";

/** For each row, after the change. */
export async function createTrigger(db: Kysely<unknown>, engine: ColumnTypes["engine"], { name, on, when, does }: Trigger): Promise<void> {
  if (engine === "sqlite") {
    await run(db, `create trigger ${name} after ${on} for each row ${when ? `when ${when}` : ""} begin ${does} end`);
    return;
  }
  await run(db, `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${does} return null; end $$`);
  const condition = when ? `${notCopying} and (${when})` : notCopying;
  await run(db, `create trigger ${name} after ${on} for each row when (${condition}) execute function ${name}()`);
}

export async function dropTrigger(db: Kysely<unknown>, engine: ColumnTypes["engine"], name: string, table: string): Promise<void> {
  await run(db, engine === "sqlite" ? `drop trigger ${name}` : `drop trigger ${name} on ${table}`);
}

export { type Kysely, sql };
