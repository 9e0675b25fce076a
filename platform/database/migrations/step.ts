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

/** The statements of a text in which a blank line follows each. */
export function statementsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

export async function runAll(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of statementsOf(text)) await sql.raw(statement).execute(db);
}

export { type Kysely, sql };
