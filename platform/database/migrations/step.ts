import { type ColumnDataType, type Kysely, sql } from "kysely";

/** What differs between the engines when a table is made. Times of our own are milliseconds in a bigint on both. */
export type ColumnTypes = {
  engine: "sqlite" | "postgres";
  /** How the accounts library writes its dates. */
  date: ColumnDataType;
  /** A number that the database hands out, counting up. */
  serial: ColumnDataType;
};

export type Step = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

export function columnTypes(engine: "sqlite" | "postgres"): ColumnTypes {
  return engine === "sqlite" ? { engine, date: "text", serial: "integer" } : { engine, date: "timestamptz", serial: "bigserial" };
}

export { sql };
