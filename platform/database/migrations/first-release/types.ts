/** The columns' types, in SQL. */
export type Types = {
  engine: "sqlite" | "postgres";
  text: string;
  date: string;
  serial: string;
  /** An id that the database gives: by default on PostgreSQL, by a trigger on SQLite, which adds no such column. */
  rowId: string;
};

export const types: Record<Types["engine"], Types> = {
  sqlite: { engine: "sqlite", text: "text", date: "text", serial: "integer", rowId: "text" },
  postgres: {
    engine: "postgres",
    text: 'text collate "C"',
    date: "timestamptz",
    serial: "bigserial",
    rowId: `text collate "C" not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 20)`,
  },
};
