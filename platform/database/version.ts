import { setImmediate } from "node:timers/promises";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { coalesceCalls } from "../queues/coalesce-calls.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./open.ts";
import { Visible } from "./visible.ts";

export type Versions = {
  /** Equal answers mean that nothing was committed in between, by any process. */
  database(): Promise<string>;
  /** Like `database`, but on SQLite ignores this process's attempts, sessions and security log, which no public page shows. */
  content(): Promise<string>;
  /** Stays the same while no row of a session may have changed. Undefined where that isn't known: on PostgreSQL. */
  sessions(): string | undefined;
  visible: Visible;
};

const expressions: Record<Engine, string> = {
  // `data_version` counts other connections' commits since it was opened; the reader is reopened now and then.
  sqlite: "(select cast(reader_number() as integer) || '-' || data_version from pragma_data_version)",
  // Includes running transactions, so that it also changes when one ends.
  postgres: "pg_current_snapshot()::text",
};

export function versionColumn(engine: Engine): RawBuilder<string> {
  return sql.raw<string>(expressions[engine]);
}

export function openVersions(db: Database, engine: Engine, visible = new Visible()): Versions {
  const ask = (expression: string) => {
    const question = CompiledQuery.raw(`select ${expression} as version`) as CompiledQuery<{ version: string }>;
    return oncePerTurn(coalesceCalls(async () => (await db.executeQuery(question)).rows[0]?.version ?? ""));
  };
  const database = ask(expressions[engine]);
  const content = engine === "sqlite" ? ask("content_version()") : database;
  return { database, content, sessions: () => visible.sessions(), visible };
}

/** All callers in a turn of the event loop share one query, which runs after the last of them: it takes file locks on SQLite. */
function oncePerTurn(ask: () => Promise<string>): () => Promise<string> {
  let waiting: Promise<string> | undefined;
  const askForAll = () => {
    waiting = undefined;
    return ask();
  };
  return () => {
    waiting ??= setImmediate().then(askForAll);
    return waiting;
  };
}
