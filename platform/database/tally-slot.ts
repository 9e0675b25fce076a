import { type RawBuilder, sql } from "kysely";
import type { Engine } from "./open.ts";

/** The slot of a counter that the transaction may write into without waiting for another one. */
export function tallySlot(engine: Engine): RawBuilder<number> {
  return engine === "postgres" ? sql<number>`tally_slot()` : sql.lit(0);
}
