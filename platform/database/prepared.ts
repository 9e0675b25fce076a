import type { CompiledQuery } from "kysely";
import type { Engine } from "./engine.ts";
import type { Database } from "./open.ts";

type Value = string | number | null;
type On = { db: Database; engine: Engine };

/**
 * A query that runs so often that building and compiling it would cost more than running it. It is compiled once per engine, and each call
 * fills in its values.
 * @param build - must pass the values on to the query unseen: they are placeholders.
 */
export function prepareQuery<Values extends Record<string, Value>, Row>(
  build: (on: On, values: Values) => { compile(db: Database): CompiledQuery<Row> },
): (on: On, values: Values) => Promise<Row[]> {
  const compiled = new Map<Engine, CompiledQuery<Row>>();
  const compile = ({ db, engine }: On) => {
    // Plugins see a query when it is built, and this one is built only once.
    const on = { db: db.withoutPlugins(), engine };
    return build(on, placeholders as Values).compile(on.db);
  };
  return async (on, values) => {
    const query = compiled.get(on.engine) ?? compile(on);
    compiled.set(on.engine, query);
    const parameters = query.parameters.map((each) => (typeof each === "symbol" ? values[each.description as keyof Values] : each));
    return (await on.db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

const placeholders = new Proxy({}, { get: (_, name) => Symbol(String(name)) });
