import { type RawBuilder, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";

export function counterShard(engine: Engine): RawBuilder<number> {
  return engine === "postgres" ? sql<number>`counter_shard()` : sql.lit(0);
}
