import type { CompiledQuery } from "kysely";
import type { Engine } from "./engine.ts";
import type { Database } from "./open.ts";

type Value = string | number | null;
type Context = { db: Database; engine: Engine };

/**
 * For queries that run so often that building and compiling them costs more than running them. Compiled once per engine; each call fills in
 * its values.
 * @param build - must only pass the values on to the query: they are placeholders.
 */
export function prepareQuery<Values extends Record<string, Value>, Row>(
  build: (context: Context, values: Values) => { compile(db: Database): CompiledQuery<Row> },
): (context: Context, values: Values) => Promise<Row[]> {
  const compiled = new Map<Engine, CompiledQuery<Row>>();
  const compile = ({ db, engine }: Context) => {
    // Plugins transform a query when it is built, and this one is built only once.
    const context = { db: db.withoutPlugins(), engine };
    return build(context, placeholders as Values).compile(context.db);
  };
  return async (context, values) => {
    const query = compiled.get(context.engine) ?? compile(context);
    compiled.set(context.engine, query);
    const parameters = query.parameters.map((each) => (typeof each === "symbol" ? values[each.description as keyof Values] : each));
    return (await context.db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

const placeholders = new Proxy({}, { get: (_, name) => Symbol(String(name)) });
