import { setImmediate } from "node:timers/promises";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { coalesceCalls } from "../queues/coalesce-calls.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./open.ts";
import { Visible } from "./visible.ts";

export type Versions = {
  /**
   * Stays the same as long as nothing is committed to the database, by whatever process: two equal answers mean that
   * whoever read in between saw what one would read now.
   */
  database(): Promise<string>;
  /**
   * As `database`, but on SQLite it also stays the same while people sign in: attempts, sessions and the security log that
   * this process writes change no page that visitors see.
   */
  content(): Promise<string>;
  visible: Visible;
};

const expressions: Record<Engine, string> = {
  // A connection counts what others commit, from when it was opened; the reader is opened again now and then.
  sqlite: "(select cast(reader_number() as integer) || '-' || data_version from pragma_data_version)",
  // Which transactions are running is part of it: one that ends changes the answer, not only one that begins.
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
  return { database, content: engine === "sqlite" ? ask("content_version()") : database, visible };
}

/** All callers in a turn of the event loop share an answer, which is asked for after the last of them: each query takes file locks. */
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
