import { type ColumnDataType, type Expression, type Kysely, sql } from "kysely";

type ColumnType = ColumnDataType | Expression<unknown>;

/** Column types that differ by engine. The site's own times are milliseconds in a bigint on both. */
export type ColumnTypes = {
  engine: "sqlite" | "postgres";
  /** Compared and sorted by its bytes, on PostgreSQL regardless of the database's collation. */
  text: ColumnType;
  /** Better Auth's date format. */
  date: ColumnType;
  /** An auto-incremented number. */
  serial: ColumnType;
};

export type Step = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

export function columnTypes(engine: "sqlite" | "postgres"): ColumnTypes {
  return engine === "sqlite"
    ? { engine, text: "text", date: "text", serial: "integer" }
    : { engine, text: sql`text collate "C"`, date: "timestamptz", serial: "bigserial" };
}

/** Splits SQL into statements, which are separated by blank lines. */
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
