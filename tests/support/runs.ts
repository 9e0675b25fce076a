import { inject } from "vitest";

/** How often a property is tried: on PostgreSQL a quarter as often, since the rules are the same code and only the queries differ. */
export function timesTried(onSqlite: number): number {
  return inject("engine") === "postgres" ? Math.ceil(onSqlite / 4) : onSqlite;
}
