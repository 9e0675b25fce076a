import { CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import type { Engine } from "./engine.ts";
import type { Tables } from "./schema.ts";

type Database = Kysely<Tables>;

const expressions: Record<Engine, string> = {
  // A connection counts what others commit, from when it was opened; the reader is opened anew now and then.
  sqlite: "(select cast(reader_number() as integer) || '-' || data_version from pragma_data_version)",
  // Which transactions are running is part of it: one that ends changes the answer, not only one that begins.
  postgres: "pg_current_snapshot()::text",
};
type Version = { version: string };

const question = (engine: Engine) => CompiledQuery.raw(`select ${expressions[engine]} as version`) as CompiledQuery<Version>;
const questions: Record<Engine, CompiledQuery<Version>> = { sqlite: question("sqlite"), postgres: question("postgres") };

/** `databaseVersion` as a column of a statement: the version that the statement itself sees. */
export function versionColumn(engine: Engine): RawBuilder<string> {
  return sql.raw<string>(expressions[engine]);
}

/**
 * Stays the same as long as nothing is committed to the database, by whatever process: two equal answers mean that
 * whoever read in between saw what one would read now. Costs microseconds on SQLite, a round trip on PostgreSQL.
 */
export async function databaseVersion(db: Database, engine: Engine): Promise<string> {
  if (engine === "sqlite") return direct.get(db)?.() ?? ask(db, engine);
  const line = lines.get(db) ?? new Line(() => ask(db, engine));
  lines.set(db, line);
  return line.answer();
}

/**
 * As `databaseVersion`, but on SQLite it also stays the same while people sign in: attempts, sessions and the security
 * log that this process writes change no page that visitors see.
 */
export async function contentVersion(db: Database, engine: Engine): Promise<string> {
  return directContent.get(db)?.() ?? databaseVersion(db, engine);
}

type Ask = () => string | undefined;
const direct = new WeakMap<Database, Ask>();
const directContent = new WeakMap<Database, Ask>();

export function askDirectly(db: Database, { version, contentVersion: content }: { version: Ask; contentVersion: Ask }): void {
  direct.set(db, version);
  directContent.set(db, content);
}

async function ask(db: Database, engine: Engine): Promise<string> {
  const { rows } = await db.executeQuery(questions[engine]);
  return rows[0]?.version ?? "";
}

const lines = new WeakMap<Database, Line>();

/**
 * Many who ask at the same time share a round trip: all who come while one is under way get the answer of the next, which
 * begins after they came and so knows of everything that was committed before.
 */
class Line {
  readonly #ask: () => Promise<string>;
  #underWay: Promise<unknown> | undefined;
  #next: Promise<string> | undefined;

  constructor(ask: () => Promise<string>) {
    this.#ask = ask;
  }

  answer(): Promise<string> {
    if (!this.#underWay) return this.#begin();
    this.#next ??= this.#underWay.then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  #begin(): Promise<string> {
    const asked = this.#ask();
    const settled = asked.then(
      () => {},
      () => {},
    );
    this.#underWay = settled;
    void settled.then(() => {
      if (this.#underWay === settled && !this.#next) this.#underWay = undefined;
    });
    return asked;
  }
}
