import { inject } from "vitest";

/** Runs of a property: a quarter on PostgreSQL, where only the queries differ. */
export function propertyRuns(onSqlite: number): number {
  return inject("engine") === "postgres" ? Math.ceil(onSqlite / 4) : onSqlite;
}
